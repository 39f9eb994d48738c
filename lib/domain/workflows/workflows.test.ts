import { expect, test } from "vitest";
import { EMPTY_DEFINITION } from "#lib/contract/workflow/graph";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { createWorkflow, type Editor } from "#lib/domain/workflows/create-workflow";
import { deleteWorkflow } from "#lib/domain/workflows/delete-workflow";
import { getWorkflow } from "#lib/domain/workflows/get-workflow";
import { listWorkflows } from "#lib/domain/workflows/list-workflows";
import { updateWorkflow } from "#lib/domain/workflows/update-workflow";
import { greeting, newEditor } from "#lib/domain/workflows/workflow.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { raceBehindLock } from "#lib/platform/db/test-race";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

let slugs = 0;

const ann = await newEditor("ann");
const eve = await newEditor("eve");

function create(editor: Editor = ann, definition = greeting()) {
  return createWorkflow(editor, { name: "Greeting", description: null, definition });
}

async function createPublished() {
  const { workflow_id: workflowId } = await create();
  slugs += 1;
  const slug = `greeting-${slugs}`;
  await deployWorkflow(ann, { workflowId, slug });
  return { workflowId, slug };
}

test("a draft may be unpublishable, and names what is missing", async () => {
  const workflow = await create(ann, EMPTY_DEFINITION);
  expect(workflow).toMatchObject({ draft_revision: 1, shown: "draft", deployed_version: null, versions: [] });
  expect(workflow.problems.map((problem) => problem.message)).toEqual([
    "Callable workflow must have exactly 1 Action Input node",
    "Callable workflow must have at least 1 Return Output node",
  ]);
});

test("every save increases the revision, even for a moved node", async () => {
  const { workflow_id: id } = await create();
  const moved = greeting();
  moved.nodes = moved.nodes.map((node) => ({ ...node, position: { x: 1, y: 2 } }));
  expect((await updateWorkflow(ann.workspaceId, id, { definition: moved }, 1)).draft_revision).toBe(2);
  const renamed = await updateWorkflow(ann.workspaceId, id, { name: "New name", description: "What it does" });
  expect(renamed).toMatchObject({ name: "New name", description: "What it does", draft_revision: 3 });
  expect(renamed.definition).toEqual(moved);
  const cleared = await updateWorkflow(ann.workspaceId, id, { description: null });
  expect(cleared).toMatchObject({ name: "New name", description: null });
});

test("of two saves with the same revision, one is refused because the draft has changed, and nothing is lost", async () => {
  const { workflow_id: id } = await create();
  const results = await raceBehindLock(
    { text: "select 1 from workflows where id = $1 for update", values: [id] },
    ["one", "two", "three"].map((name) => () => updateWorkflow(ann.workspaceId, id, { name }, 1)),
  );
  const kept = results.filter((result) => result.status === "fulfilled");
  expect(kept).toHaveLength(1);
  for (const result of results.filter((refused) => refused.status === "rejected")) {
    expect(result.reason).toMatchObject({ code: "REVISION_CONFLICT", details: { current_revision: 2 } });
  }
  expect(await getWorkflow(ann.workspaceId, id)).toMatchObject({ draft_revision: 2, name: kept[0]?.value.name });
});

test("saving without a revision always succeeds", async () => {
  const { workflow_id: id } = await create();
  await Promise.all(Array.from({ length: 8 }, () => updateWorkflow(ann.workspaceId, id, { name: "Again" })));
  expect((await getWorkflow(ann.workspaceId, id)).draft_revision).toBe(9);
});

test("a moved node is no unpublished change; a changed field, a new edge and a node's new name are", async () => {
  const { workflowId } = await createPublished();
  const isChanged = async (definition = greeting()) =>
    (await updateWorkflow(ann.workspaceId, workflowId, { definition })).has_unpublished_changes;
  const reordered = greeting();
  reordered.nodes = reordered.nodes.map((node) => ({ ...node, position: { x: 5, y: 5 } })).reverse();
  reordered.edges = reordered.edges.map((edge) => ({ ...edge, sourceHandle: null }));
  expect(await isChanged(reordered)).toBe(false);
  const renamed = greeting();
  renamed.nodes = renamed.nodes.map((node) => ({ ...node, data: { ...node.data, name: "Start" } }));
  expect(await isChanged(renamed)).toBe(true);
  const unconnected = greeting();
  unconnected.edges = [];
  expect(await isChanged(unconnected)).toBe(true);
  expect(await isChanged()).toBe(false);
  expect((await getWorkflow(ann.workspaceId, workflowId)).draft_revision).toBe(5);
});

test("draft, deployed version and numbered versions are each shown as they are", async () => {
  const { workflowId } = await createPublished();
  const wider = greeting([
    { name: "who", type: "string", required: true },
    { name: "tone", type: "string", required: false },
  ]);
  await updateWorkflow(ann.workspaceId, workflowId, { definition: wider });
  await deployWorkflow(ann, { workflowId, note: "A tone" });
  await updateWorkflow(ann.workspaceId, workflowId, { definition: EMPTY_DEFINITION });
  const draft = await getWorkflow(ann.workspaceId, workflowId);
  expect(draft).toMatchObject({ shown: "draft", definition: EMPTY_DEFINITION, has_unpublished_changes: true });
  expect(draft.versions).toMatchObject([
    { version: 2, status: "deployed", note: "A tone" },
    { version: 1, status: "archived", note: null },
  ]);
  const deployed = await getWorkflow(ann.workspaceId, workflowId, "deployed");
  expect(deployed).toMatchObject({ shown: 2, definition: wider, problems: [] });
  expect(deployed.input_schema).toEqual({
    type: "object",
    properties: { who: { type: "string" }, tone: { type: "string" } },
    required: ["who"],
  });
  expect(await getWorkflow(ann.workspaceId, workflowId, 1)).toMatchObject({ shown: 1, definition: greeting() });
  await expect(getWorkflow(ann.workspaceId, workflowId, 3)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("an active action prevents deletion; if it is archived with the workflow, the slug stays reserved and the action looks unpublished", async () => {
  const { workflowId, slug } = await createPublished();
  await expect(deleteWorkflow(ann, workflowId, { archiveAction: false })).rejects.toMatchObject({
    code: "WORKFLOW_IN_USE",
    details: { slug, status: "active" },
  });
  await deleteWorkflow(ann, workflowId, { archiveAction: true });
  await expect(getWorkflow(ann.workspaceId, workflowId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const { rows } = await db().query("select status, current_release_id from actions where slug = $1", [slug]);
  expect(rows).toEqual([{ status: "archived", current_release_id: null }]);
  const { workflow_id: other } = await create();
  await expect(deployWorkflow(ann, { workflowId: other, slug })).rejects.toMatchObject({ code: "SLUG_TAKEN" });
});

test("a publish during a deletion is either deleted with the workflow or finds nothing to publish", async () => {
  const { workflowId } = await createPublished();
  const [deleted, published] = await raceBehindLock<unknown>(
    { text: "select 1 from workflows where id = $1 for update", values: [workflowId] },
    [() => deleteWorkflow(ann, workflowId, { archiveAction: true }), () => deployWorkflow(ann, { workflowId })],
  );
  expect(deleted?.status).toBe("fulfilled");
  if (published?.status === "rejected") expect(published.reason).toMatchObject({ code: "NOT_FOUND" });
  const { rows } = await db().query("select status, current_release_id from actions where workflow_id = $1", [
    workflowId,
  ]);
  expect(rows).toEqual([{ status: "archived", current_release_id: null }]);
});

test("a list is paged without gaps or duplicates, filtered by name and type, and never shows deleted workflows", async () => {
  const editor = await newEditor("lister");
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) ids.push((await create(editor)).workflow_id);
  // The same millisecond for all: the id has to break the tie.
  await db().query("update workflows set created_at = now() where workspace_id = $1", [editor.workspaceId]);
  await updateWorkflow(editor.workspaceId, ids[1] ?? "", { name: "100% sure_thing" });
  await deleteWorkflow(editor, ids[0] ?? "", { archiveAction: false });
  for (const order of ["asc", "desc"] as const) {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listWorkflows(editor.workspaceId, { order }, { limit: 3, cursor });
      seen.push(...page.data.map((workflow) => workflow.workflow_id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(order === "asc" ? ids.slice(1) : ids.slice(1).reverse());
  }
  const search = async (q: string) =>
    (await listWorkflows(editor.workspaceId, { q, order: "desc" }, { limit: 10 })).data;
  expect(await search("SURE")).toHaveLength(1);
  expect(await search("0% s")).toHaveLength(1);
  expect(await search("greet%")).toHaveLength(0);
  expect(await search("sure_")).toHaveLength(1);
  expect(await search("s_re")).toHaveLength(0);
  const none = await listWorkflows(editor.workspaceId, { type: "event_driven", order: "desc" }, { limit: 10 });
  expect(none).toEqual({ data: [], has_more: false, next_cursor: null });
  const page = await listWorkflows(editor.workspaceId, { order: "desc" }, { limit: 1 });
  await expect(
    listWorkflows(editor.workspaceId, { order: "asc" }, { limit: 1, cursor: page.next_cursor ?? "" }),
  ).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("a list shows the newest run of each workflow", async () => {
  const { workflowId } = await createPublished();
  const run = `insert into runs (id, workspace_id, workflow_id, definition, source, input, correlation_id, created_at)
               values ($1, $2, $3, '{}', 'test', '{}', 'c', now() - $4::interval)`;
  const [older, newer] = [uuidv7(), uuidv7()];
  await db().query(run, [newer, ann.workspaceId, workflowId, "1 minute"]);
  await db().query(run, [older, ann.workspaceId, workflowId, "2 minutes"]);
  expect((await getWorkflow(ann.workspaceId, workflowId)).last_run).toMatchObject({
    run_id: newer,
    status: "accepted",
  });
});

test("another workspace's workflow answers like an unknown one, and does not change", async () => {
  const { workflowId } = await createPublished();
  const before = await getWorkflow(ann.workspaceId, workflowId);
  for (const id of [workflowId, uuidv7()]) {
    const unknown = { code: "NOT_FOUND", message: "There is no workflow with this id." };
    await expect(getWorkflow(eve.workspaceId, id)).rejects.toMatchObject(unknown);
    await expect(getWorkflow(eve.workspaceId, id, 1)).rejects.toMatchObject(unknown);
    await expect(updateWorkflow(eve.workspaceId, id, { name: "Mine" }, 7)).rejects.toMatchObject(unknown);
    await expect(deleteWorkflow(eve, id, { archiveAction: true })).rejects.toMatchObject(unknown);
    await expect(deployWorkflow(eve, { workflowId: id, slug: "mine", expectedRevision: 7 })).rejects.toMatchObject(
      unknown,
    );
  }
  expect((await listWorkflows(eve.workspaceId, { order: "desc" }, { limit: 100 })).data).toEqual([]);
  expect(await getWorkflow(ann.workspaceId, workflowId)).toEqual(before);
});
