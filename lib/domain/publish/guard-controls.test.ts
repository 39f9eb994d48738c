import { describe, expect, test } from "vitest";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import { EVENT_TYPES } from "#lib/contract/event/outbound-event";
import type { Definition } from "#lib/contract/workflow/graph";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { createWorkflow, type Editor } from "#lib/domain/workflows/create-workflow";
import { updateWorkflow } from "#lib/domain/workflows/update-workflow";
import { greeting, newEditor } from "#lib/domain/workflows/workflow.fixture";
import { pageUrl } from "#lib/platform/config/page-url";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

let slugs = 0;

const ann = await newEditor("ann");
const key: Editor = { ...ann, actor: { type: "api_key", id: uuidv7(), name: "Support bot" } };
await db().query("insert into event_endpoints (id, workspace_id, kind, events) values ($1, $2, 'email', $3::text[])", [
  uuidv7(),
  ann.workspaceId,
  [...EVENT_TYPES],
]);

async function publish(approvalPolicy: "always" | "never", definition = greeting()) {
  slugs += 1;
  const slug = `guarded-${slugs}`;
  const { workflow_id: workflowId } = await createWorkflow(ann, { name: "Greeting", description: null, definition });
  await deployWorkflow(ann, { workflowId, slug, approvalPolicy });
  return { workflowId, slug };
}

const policyOf = async (workflowId: string) =>
  (await db().query("select approval_policy from actions where workflow_id = $1", [workflowId])).rows[0]
    ?.approval_policy;

/** What the publishes of a workflow wrote for owners and admins. */
async function reportsOf(workflowId: string) {
  const audit = await db().query(
    "select action, actor_name, details from audit_events where object_id = $1 and action like 'action.%' order by at, id",
    [workflowId],
  );
  const events = await db().query(
    "select type, data from event_deliveries where data ->> 'workflow_id' = $1 and type like 'action.%' order by id",
    [workflowId],
  );
  return { audit: audit.rows, events: events.rows };
}

const BREAKING = greeting([{ name: "whom", type: "string", required: true }]);

describe("a key never relaxes an approval policy", () => {
  test("the refusal says who can, and nothing is published", async () => {
    const { workflowId, slug } = await publish("always");
    const error = await errorOf(deployWorkflow(key, { workflowId, approvalPolicy: "never" }));
    expect([error.code, error.status, error.reason]).toEqual(["FORBIDDEN", 403, "person_required"]);
    expect(error.message).toBe(
      `An API key cannot relax the approval policy of ${slug} from always to never. ` +
        `Leave out approval_policy, or ask an owner, admin or editor to change it at ${pageUrl(`/workflows/${workflowId}`)}.`,
    );
    expect(await policyOf(workflowId)).toBe("always");
    const { rows } = await db().query("select count(*)::int as n from workflow_versions where workflow_id = $1", [
      workflowId,
    ]);
    expect(rows).toEqual([{ n: 1 }]);
  });

  test("it publishes a new version under the policy, also with an earlier version", async () => {
    const { workflowId } = await publish("always");
    await deployWorkflow(key, { workflowId });
    await deployWorkflow(key, { workflowId, version: 1, approvalPolicy: "always" });
    expect(await policyOf(workflowId)).toBe("always");
  });

  test("it may raise the policy, and choose one at the first publish", async () => {
    const { workflowId } = await publish("never");
    await deployWorkflow(key, { workflowId, approvalPolicy: "always" });
    expect(await policyOf(workflowId)).toBe("always");
    expect((await errorOf(deployWorkflow(key, { workflowId, approvalPolicy: "never" }))).code).toBe("FORBIDDEN");
  });

  test("a person lowers it", async () => {
    const { workflowId } = await publish("always");
    await deployWorkflow(ann, { workflowId, approvalPolicy: "never" });
    expect(await policyOf(workflowId)).toBe("never");
  });
});

describe("a breaking publish by a key", () => {
  test("is refused without allow_breaking, and notifies no one", async () => {
    const { workflowId } = await publish("never");
    await updateWorkflow(ann.workspaceId, workflowId, { definition: BREAKING });
    expect((await errorOf(deployWorkflow(key, { workflowId }))).code).toBe("BREAKING_SCHEMA_CHANGE");
    expect(await reportsOf(workflowId)).toEqual({ audit: [], events: [] });
  });

  test("with allow_breaking leaves an audit row and an event that is emailed", async () => {
    const { workflowId, slug } = await publish("never");
    await updateWorkflow(ann.workspaceId, workflowId, { definition: BREAKING });
    await deployWorkflow(key, { workflowId, allowBreaking: true });
    const { audit, events } = await reportsOf(workflowId);
    expect(audit).toEqual([
      {
        action: "action.breaking_change",
        actor_name: "Support bot",
        details: { name: "Greeting", action_slug: slug, version: 2, fields: expect.arrayContaining(["who"]) },
      },
    ]);
    expect(events).toEqual([
      {
        type: "action.breaking_change",
        data: expect.objectContaining({ workflow_name: "Greeting", version: 2, key_name: "Support bot" }),
      },
    ]);
  });

  test("by a person notifies no one, and a compatible publish by a key neither", async () => {
    const { workflowId } = await publish("never");
    await updateWorkflow(ann.workspaceId, workflowId, { definition: BREAKING });
    await deployWorkflow(ann, { workflowId, allowBreaking: true });
    await deployWorkflow(key, { workflowId });
    expect(await reportsOf(workflowId)).toEqual({ audit: [], events: [] });
  });
});

test("owners and admins are notified of an approval step that a key's publish removes", async () => {
  const plain = greeting();
  const gate = node("gate", "approval", { name: "Check the refund" });
  const gated: Definition = {
    nodes: [...plain.nodes, gate],
    edges: [
      { id: "e1", source: "start", target: "gate" },
      { id: "e2", source: "gate", target: "answer", sourceHandle: "approved" },
    ],
  };
  const { workflowId, slug } = await publish("never", gated);
  await updateWorkflow(ann.workspaceId, workflowId, { definition: plain });
  await deployWorkflow(key, { workflowId });
  const { audit, events } = await reportsOf(workflowId);
  expect(audit).toEqual([
    {
      action: "action.approval_removed",
      actor_name: "Support bot",
      details: { name: "Greeting", action_slug: slug, version: 2, steps: ["Check the refund"] },
    },
  ]);
  expect(events).toHaveLength(1);
});

test("owners and admins are notified of a path around an approval step, and not of a change that keeps it", async () => {
  const plain = greeting();
  const params = { method: "POST", url: "https://bank.example/refunds" };
  const pay = node("pay", "connector", { name: "Pay", connector: "http", operation: "request", params });
  const path = (id: string, source: string, target: string, sourceHandle?: string) => ({
    id,
    source,
    target,
    ...(sourceHandle === undefined ? {} : { sourceHandle }),
  });
  const gated: Definition = {
    nodes: [...plain.nodes, node("gate", "approval", { name: "Check the refund" }), pay],
    edges: [path("e1", "start", "gate"), path("e2", "gate", "pay", "approved"), path("e3", "pay", "answer")],
  };
  const { workflowId, slug } = await publish("never", gated);
  const publishAsKey = async (definition: Definition) => {
    await updateWorkflow(ann.workspaceId, workflowId, { definition });
    await deployWorkflow(key, { workflowId });
  };
  const look = { ...pay, id: "look", data: { ...pay.data, name: "Look" } };
  await publishAsKey({ nodes: [...gated.nodes, look], edges: [...gated.edges, path("e4", "start", "look")] });
  expect(await reportsOf(workflowId)).toEqual({ audit: [], events: [] });
  await publishAsKey({ ...gated, edges: [...gated.edges, path("e4", "start", "pay")] });
  const { audit, events } = await reportsOf(workflowId);
  const details = { action_slug: slug, version: 3, steps: [], unguarded_steps: ["Pay"] };
  expect(audit).toMatchObject([{ action: "action.approval_removed", details }]);
  expect(events).toMatchObject([{ type: "action.approval_removed", data: details }]);
});
