import { beforeEach, describe, expect, test } from "vitest";
import { workflowDocumentSchema } from "#lib/core/graph/imported-document";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { runAction } from "#lib/domain/runs/create/run-actions";
import { archiveWorkflow, restoreWorkflow } from "#lib/domain/workflows/archive-workflow";
import { changeMany } from "#lib/domain/workflows/change-many";
import { createWorkflow, type Editor } from "#lib/domain/workflows/create-workflow";
import { duplicateWorkflow } from "#lib/domain/workflows/duplicate-workflow";
import { importWorkflow } from "#lib/domain/workflows/import-workflow";
import { listWorkflowActivity } from "#lib/domain/workflows/list-workflow-activity";
import { listWorkflowOutlines } from "#lib/domain/workflows/list-workflow-outlines";
import { listWorkflows } from "#lib/domain/workflows/list-workflows";
import { listTags, tagWorkflows } from "#lib/domain/workflows/tag-workflows";
import { updateWorkflow } from "#lib/domain/workflows/update-workflow";
import { greeting, newEditor } from "#lib/domain/workflows/workflow.fixture";
import { exportWorkflow } from "#lib/domain/workflows/workflow-document";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

useTestDatabase();

let ann: Editor & { userId: string };

beforeEach(async () => {
  ann = await newEditor("ann");
});

async function create(name: string, definition = greeting(), editor: Editor = ann): Promise<string> {
  return (await createWorkflow(editor, { name, description: null, definition })).workflow_id;
}

const names = async (filters: Partial<Parameters<typeof listWorkflows>[1]>, page = { limit: 20 }) =>
  (await listWorkflows(ann.workspaceId, { order: "desc", ...filters }, page)).data.map(({ name }) => name);

const call = (slug: string) =>
  runAction({
    workspaceId: ann.workspaceId,
    userId: ann.userId,
    plan: "business",
    slug,
    source: "manual",
    dryRun: false,
    input: { who: "Ada" },
  });

describe("the list of workflows", () => {
  test("is filtered by state, type, tag and words of name, slug and tags", async () => {
    await create("Alpha");
    const [live, changed] = [await create("Beta"), await create("Gamma")];
    await deployWorkflow(ann, { workflowId: live, slug: "pay-out" });
    await deployWorkflow(ann, { workflowId: changed, slug: "gamma" });
    await updateWorkflow(ann.workspaceId, changed, {
      definition: greeting([{ name: "whom", type: "string", required: true }]),
    });
    await tagWorkflows(ann.workspaceId, { workflowIds: [live], add: ["Billing", "EU"], remove: [] });
    await archiveWorkflow(ann, await create("Gone"), { archiveAction: false });
    expect(await names({})).toEqual(["Gamma", "Beta", "Alpha"]);
    expect(await names({ state: "draft" })).toEqual(["Alpha"]);
    expect(await names({ state: "live" })).toEqual(["Gamma", "Beta"]);
    expect(await names({ state: "changed" })).toEqual(["Gamma"]);
    expect(await names({ state: "archived" })).toEqual(["Gone"]);
    expect(await names({ type: "event_driven" })).toEqual([]);
    expect(await names({ tag: "billing" })).toEqual(["Beta"]);
    for (const q of ["bet", "PAY", "bill"]) expect(await names({ q })).toEqual(["Beta"]);
    expect(await names({ q: "%" })).toEqual([]);
    const [beta] = (await listWorkflows(ann.workspaceId, { order: "desc", q: "beta" }, { limit: 1 })).data;
    expect(beta).toMatchObject({ tags: ["Billing", "EU"], owner: "ann", archived_at: null });
  });

  test("pages by name and by the last change without gaps or duplicates", async () => {
    for (const name of ["delta", "Alpha", "charlie", "Bravo"]) await create(name);
    for (const [sort, order, expected] of [
      ["name", "asc", ["Alpha", "Bravo", "charlie", "delta"]],
      ["updated", "desc", ["Bravo", "charlie", "Alpha", "delta"]],
    ] as const) {
      const first = await listWorkflows(ann.workspaceId, { sort, order }, { limit: 3 });
      const cursor = first.next_cursor ?? "";
      const rest = await listWorkflows(ann.workspaceId, { sort, order }, { limit: 3, cursor });
      expect([...first.data, ...rest.data].map(({ name }) => name)).toEqual(expected);
      expect(rest.has_more).toBe(false);
    }
  });

  test("counts runs per day, today last, and excludes other workspaces", async () => {
    const workflowId = await create("Counted");
    await deployWorkflow(ann, { workflowId, slug: "counted" });
    const { run } = await call("counted");
    await call("counted");
    await db().query("update runs set created_at = now() - interval '2 days' where id = $1", [run.run_id]);
    // Midnight may pass while the list is read.
    const countByDay = async () => {
      const { rows } = await db().query(
        `select (now() at time zone 'UTC')::date - (created_at at time zone 'UTC')::date as ago from runs
         where workflow_id = $1`,
        [workflowId],
      );
      return Array.from({ length: 7 }, (_, day) => rows.filter(({ ago }) => ago === 6 - day).length);
    };
    const before = await countByDay();
    const { data } = await listWorkflowActivity(ann.workspaceId, [workflowId]);
    const expected = [before, await countByDay()].map((days) => [{ workflow_id: workflowId, days }]);
    expect(expected).toContainEqual(data);
    const eve = await newEditor("eve");
    expect((await listWorkflowActivity(eve.workspaceId, [workflowId])).data).toEqual([]);
  });
});

test("outlines show a draft's steps and edges, without the settings of the steps, and exclude other workspaces", async () => {
  const drawn = await create("Drawn");
  const empty = await create("Empty", { nodes: [], edges: [] });
  const { data } = await listWorkflowOutlines(ann.workspaceId, [drawn, empty]);
  const outlineOf = (id: string) => data.find((outline) => outline.workflow_id === id);
  expect(outlineOf(drawn)?.boxes).toHaveLength(greeting().nodes.length);
  expect(outlineOf(drawn)?.lines).toHaveLength(greeting().edges.length);
  expect(JSON.stringify(data)).not.toContain("{{");
  expect(outlineOf(empty)).toEqual({ workflow_id: empty, width: 0, height: 0, boxes: [], lines: [] });
  const eve = await newEditor("eve");
  expect((await listWorkflowOutlines(eve.workspaceId, [drawn])).data).toEqual([]);
});

describe("archiving", () => {
  test("needs consent for an active action, stops its calls, and comes back paused", async () => {
    const workflowId = await create("Refunds");
    await deployWorkflow(ann, { workflowId, slug: "refunds" });
    await expect(archiveWorkflow(ann, workflowId, { archiveAction: false })).rejects.toMatchObject({
      code: "WORKFLOW_IN_USE",
    });
    await archiveWorkflow(ann, workflowId, { archiveAction: true });
    await expect(call("refunds")).rejects.toMatchObject({ code: "ACTION_UNAVAILABLE" });
    await expect(deployWorkflow(ann, { workflowId })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await restoreWorkflow(ann, workflowId);
    const { rows } = await db().query("select status from actions where workflow_id = $1", [workflowId]);
    expect(rows).toEqual([{ status: "paused" }]);
    expect(await names({})).toEqual(["Refunds"]);
  });

  test("of several workflows, one that is refused does not stop the others", async () => {
    const [busy, idle, foreign] = [await create("Busy"), await create("Idle"), uuidv7()];
    await deployWorkflow(ann, { workflowId: busy, slug: "busy" });
    const { data } = await changeMany([busy, idle, foreign, idle], (id) =>
      archiveWorkflow(ann, id, { archiveAction: false }),
    );
    expect(data.map(({ error }) => error)).toEqual([
      expect.stringContaining("busy"),
      null,
      "There is no workflow with this id.",
    ]);
  });
});

test("tags are added and removed ignoring case, at most ten, in one's own workspace only", async () => {
  const [one, two] = [await create("One"), await create("Two")];
  expect(await tagWorkflows(ann.workspaceId, { workflowIds: [one, two], add: ["b", "A"], remove: [] })).toEqual({
    changed: 2,
  });
  await tagWorkflows(ann.workspaceId, { workflowIds: [two], add: ["a"], remove: ["B"] });
  expect(await listTags(ann.workspaceId)).toEqual({
    data: [
      { tag: expect.stringMatching(/^a$/i), workflows: 2 },
      { tag: "b", workflows: 1 },
    ],
  });
  const many = Array.from({ length: 11 }, (_, index) => `t${index}`);
  await expect(tagWorkflows(ann.workspaceId, { workflowIds: [one], add: many, remove: [] })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  const eve = await newEditor("eve");
  expect(await tagWorkflows(eve.workspaceId, { workflowIds: [one], add: ["x"], remove: [] })).toEqual({ changed: 0 });
});

test("a duplicate is a separate draft with the same tags", async () => {
  const workflowId = await create("x".repeat(200));
  await tagWorkflows(ann.workspaceId, { workflowIds: [workflowId], add: ["eu"], remove: [] });
  const copy = await duplicateWorkflow(ann, workflowId);
  expect(copy.workflow_id).not.toBe(workflowId);
  expect(copy).toMatchObject({ name: `${"x".repeat(193)} (copy)`, definition: greeting(), tags: ["eu"] });
});

describe("an exported workflow", () => {
  const at = { x: 0, y: 0 };
  const definition = (connectionId: string) => ({
    nodes: [
      { id: "hook", type: "trigger" as const, position: at, data: { kind: "webhook", secret: "s3cret-value" } },
      { id: "send", type: "connector" as const, position: at, data: { name: "Send", connection_id: connectionId } },
      { id: "sub", type: "sub_workflow" as const, position: at, data: { action_slug: "elsewhere", input: {} } },
    ],
    edges: [],
  });

  async function connect({ workspaceId, userId }: Editor, name: string): Promise<string> {
    const id = uuidv7();
    await db().query(
      `insert into connections (id, workspace_id, connector, name, credentials_sealed, created_by)
       values ($1, $2, 'http', $3, 'sealed-credentials', $4)`,
      [id, workspaceId, name, userId],
    );
    return id;
  }

  test("contains no secret, finds the connection with the same name, and lists what else it needs", async () => {
    const exported = await exportWorkflow(
      ann.workspaceId,
      await create("Both", definition(await connect(ann, "Acme"))),
    );
    expect(JSON.stringify(exported)).not.toMatch(/sealed|s3cret/);
    expect(exported).toMatchObject({
      format: "workflow-definition",
      connections: [{ connector: "http", name: "Acme" }],
      secrets: ["hook"],
    });
    const document = workflowDocumentSchema.parse(JSON.parse(JSON.stringify(exported)));
    const eve = await newEditor("eve");
    const without = await importWorkflow(eve, document);
    expect(without.missing.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
      'connection: Send needs the connection "Acme" (http), which does not exist here',
      "secret: hook: The secret is missing, because exports leave secrets out. Set a new one, or remove it.",
      'action: sub calls the action "elsewhere", which does not exist here',
    ]);
    expect(without.workflow.problems).toContainEqual(
      expect.objectContaining({ node_id: "hook", code: "SECRET_MASKED", severity: "error", field: "secret" }),
    );
    expect(without.workflow.definition.nodes[1]?.data).toEqual({ name: "Send" });
    const again = await exportWorkflow(eve.workspaceId, without.workflow.workflow_id);
    expect(again.secrets).toEqual(["hook"]);
    const acme = await connect(eve, "Acme");
    const found = await importWorkflow(eve, document);
    expect(found.missing.map(({ kind }) => kind)).toEqual(["secret", "action"]);
    expect(found.workflow.definition.nodes[1]?.data).toEqual({ name: "Send", connection_id: acme });
  });
});
