import { expect, test } from "vitest";
import { listAuditEvents } from "#lib/domain/audit/list-audit-events";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const { workspaceId, userId } = await addWorkspace();
const ann: Actor = { type: "user", id: userId, name: "Ann" };
const service: Actor = { type: "system", id: null, name: null };
const other = await addWorkspace();
for (const [actor, action, where] of [
  [ann, "key.created", workspaceId],
  [ann, "key.revoked", workspaceId],
  [service, "workspace.plan_set", workspaceId],
  [ann, "key.kept", workspaceId],
  [ann, "key.created", other.workspaceId],
] as const) {
  // A minute apart: within one millisecond the order is random.
  await db().query("update audit_events set at = at - interval '1 minute'");
  await recordAudit(db(), { workspaceId: where, actor, action, objectType: "api_key", objectId: "k" });
}
// An action whose noun starts with the noun of another.
await db().query("update audit_events set action = 'keyring.created' where action = 'key.kept'");

const actionsOf = async (query: { actor?: string; action?: string }) =>
  (await listAuditEvents(workspaceId, { limit: 20, ...query })).data.map(({ action }) => action);

test("it contains only the events of the workspace, newest first", async () => {
  expect(await actionsOf({})).toEqual(["keyring.created", "workspace.plan_set", "key.revoked", "key.created"]);
});

test("it can be filtered by person, by the service, by action and by object type", async () => {
  expect(await actionsOf({ actor: userId })).toEqual(["keyring.created", "key.revoked", "key.created"]);
  expect(await actionsOf({ actor: "system" })).toEqual(["workspace.plan_set"]);
  expect(await actionsOf({ action: "key.created" })).toEqual(["key.created"]);
  expect(await actionsOf({ action: "key" })).toEqual(["key.revoked", "key.created"]);
  expect(await actionsOf({ action: "key", actor: "system" })).toEqual([]);
});

test("its pages contain every event once, and their cursors work only with their filters", async () => {
  const first = await listAuditEvents(workspaceId, { limit: 3 });
  expect(first.has_more).toBe(true);
  const cursor = first.next_cursor ?? "";
  const second = await listAuditEvents(workspaceId, { limit: 3, cursor });
  expect([...first.data, ...second.data].map(({ action }) => action)).toHaveLength(4);
  expect(second.next_cursor).toBeNull();
  await expect(listAuditEvents(workspaceId, { limit: 3, cursor, action: "key" })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});
