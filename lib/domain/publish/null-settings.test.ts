import { expect, test } from "vitest";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { addTrigger } from "#lib/domain/triggers/trigger.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

const workspace = await addWorkspace();

async function configOf(trigger: JsonObject): Promise<JsonObject> {
  const { subscriptionId } = await addTrigger(workspace, trigger);
  const { rows } = await db().query("select config from trigger_subscriptions where id = $1", [subscriptionId]);
  return rows[0].config;
}

const WEBHOOK_NULLS = { secret: null, header: null, algorithm: null, encoding: null, delivery_id: null };

test.each<[string, JsonObject, JsonObject]>([
  ["a webhook", { kind: "webhook" }, { ...WEBHOOK_NULLS, scheme: null, tolerance_seconds: null, name: null }],
  [
    "a webhook of a known sender",
    { kind: "webhook", scheme: "github", secret: "s3cret" },
    { header: null, name: null },
  ],
  ["an interval", { kind: "schedule", mode: "interval", seconds: 60 }, { name: null }],
  ["a cron schedule", { kind: "schedule", mode: "cron", expression: "0 0 * * *" }, { timezone: null, name: null }],
])("%s is published with null for its optional settings as without them", async (_, trigger, nulls) => {
  const plain = await configOf(trigger);
  const given = await configOf({ ...nulls, ...trigger });
  const isSet = ([, value]: [string, unknown]) => value !== null;
  expect(Object.fromEntries(Object.entries(given).filter(isSet))).toEqual(plain);
});

test("an event of a connector is published with null for its optional params as without them", async () => {
  const id = uuidv7();
  await db().query(
    `insert into connections (id, workspace_id, connector, name, credentials_sealed, created_by)
     values ($1, $2, 'email', 'Mail', 'sealed', $3)`,
    [id, workspace.workspaceId, workspace.userId],
  );
  const trigger = { kind: "connector", connector: "email", event: "new_email", connection_id: id };
  expect(await configOf({ ...trigger, params: { mailbox: null } })).toMatchObject({ params: {} });
  expect(await configOf({ ...trigger, params: null })).toMatchObject({ params: {} });
  expect(await configOf({ ...trigger, params: { mailbox: "Orders" } })).toMatchObject({
    params: { mailbox: "Orders" },
  });
});
