import { beforeEach, expect, test } from "vitest";
import { type SeededWorkflow, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { dropOldPartitions } from "#lib/domain/runs/retain/drop-old-partitions";
import { createPartitionsSql } from "#lib/domain/runs/retain/partitions.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

/** An id that was made `$1` days ago. */
const ID =
  "(left(uuid_floor(now() - make_interval(days => $1))::text, 15) || right(gen_random_uuid()::text, 21))::uuid";

let workflow: SeededWorkflow;
let subscriptionId: string;
let endpointId: string;

/** As after months of weekly partitions. */
beforeEach(async () => {
  await db().query(`truncate workspaces cascade;
    ${createPartitionsSql("now() - interval '100 days'", "now() + interval '8 days'")}`);
  workflow = await seedWorkflow(db(), { nodes: [], edges: [] });
  const { workspaceId, workflowId } = workflow;
  const subscription = await db().query(
    `insert into trigger_subscriptions (id, workspace_id, workflow_id, kind, config)
     values (gen_random_uuid(), $1, $2, 'webhook', '{}') returning id`,
    [workspaceId, workflowId],
  );
  subscriptionId = subscription.rows[0].id;
  const endpoint = await db().query(
    "insert into event_endpoints (id, workspace_id, kind, events) values (gen_random_uuid(), $1, 'email', '{}') returning id",
    [workspaceId],
  );
  endpointId = endpoint.rows[0].id;
});

/** Writes a row of each log. */
async function log(daysAgo: number): Promise<void> {
  await db().query(
    `insert into trigger_deliveries (id, subscription_id, workspace_id, verdict, received_at)
     values (${ID}, $2, $3, 'bad_request', now() - make_interval(days => $1))`,
    [daysAgo, subscriptionId, workflow.workspaceId],
  );
  await db().query(
    `insert into event_deliveries (id, event_id, workspace_id, endpoint_id, type, data, created_at)
     values (${ID}, gen_random_uuid(), $3, $2, 'x', '{}', now() - make_interval(days => $1))`,
    [daysAgo, endpointId, workflow.workspaceId],
  );
  await db().query(
    `insert into audit_events (id, workspace_id, actor_type, action, object_type, at)
     values (${ID}, $2, 'system', 'x', 'y', now() - make_interval(days => $1))`,
    [daysAgo, workflow.workspaceId],
  );
}

async function ages(table: string, at: string): Promise<number[]> {
  const { rows } = await db().query(
    `select round(extract(epoch from now() - ${at}) / 86400)::int as days from ${table} order by 1`,
  );
  return rows.map((row) => row.days);
}

test("weeks of deliveries are dropped when their last row is past the delivery log, and audit events stay", async () => {
  for (const daysAgo of [0, 6, 15, 90]) await log(daysAgo);
  const dropped = await dropOldPartitions(0);
  expect(dropped.filter((name) => name.startsWith("audit"))).toEqual([]);
  expect(await ages("trigger_deliveries", "received_at")).toEqual([0, 6]);
  expect(await ages("event_deliveries", "created_at")).toEqual([0, 6]);
  expect(await ages("audit_events", "at")).toEqual([0, 6, 15, 90]);
});

test("months of audit events are dropped when the setting says so", async () => {
  for (const daysAgo of [0, 29, 95]) await log(daysAgo);
  await dropOldPartitions(30);
  expect(await ages("audit_events", "at")).toEqual([0, 29]);
});

test("each partition refuses a second accepted delivery of an event", async () => {
  const accept = () =>
    db().query(
      `insert into trigger_deliveries (id, subscription_id, workspace_id, dedupe_key, verdict)
       values (${ID}, $2, $3, 'same', 'accepted')`,
      [0, subscriptionId, workflow.workspaceId],
    );
  await accept();
  await expect(accept()).rejects.toMatchObject({ code: "23505" });
});
