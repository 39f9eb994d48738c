import { expect, test } from "vitest";
import type { Caller } from "#lib/api/operations/define/caller";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { LIMITS } from "#lib/contract/limits";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import { greeting } from "#lib/domain/workflows/workflow.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

let workflows = 0;
const workspace = await addWorkspace();

type Ask = <Name extends keyof WebOperations>(
  name: Name,
  input: WebOperations[Name]["input"],
) => Promise<WebOperations[Name]["output"]>;

function callAs(caller: Caller): Ask {
  return async <Name extends keyof WebOperations>(name: Name, input: WebOperations[Name]["input"]) => {
    const operation = OPERATIONS.find((candidate) => candidate.name === name);
    if (!operation) throw new Error(`there is no operation ${name}`);
    return (await invoke(operation, caller, input, requestContext())) as WebOperations[Name]["output"];
  };
}
const asPerson = () => callAs({ kind: "user", role: "editor", name: "Ada", ...workspace });
const asAgent = () =>
  callAs({
    kind: "api_key",
    keyId: "0199b7c2-0000-7000-8000-000000000000",
    prefix: "svc_Qm4x",
    scopes: ["workflows:read", "workflows:write"],
    actionSlugs: null,
    name: "Bot",
    ...workspace,
  });

const note = (id: string, changes: Partial<CanvasNote> = {}): CanvasNote => ({
  id: `note-${id}`,
  text: "Ask Ada before the limit is raised",
  color: "blue",
  position: { x: -300, y: 40 },
  width: 240,
  height: 160,
  ...changes,
});

async function drawWithNotes(notes: CanvasNote[]) {
  workflows += 1;
  const { workflow_id } = await asPerson()("create_workflow", { name: `Noted ${workflows}`, definition: greeting() });
  const saved = await asPerson()("save_draft", { workflow_id, expected_revision: 1, notes });
  return { workflow_id, saved };
}

test("notes are saved with the draft under one revision, and a save with a stale revision changes nothing", async () => {
  const { workflow_id, saved } = await drawWithNotes([note("a")]);
  expect(saved).toMatchObject({ draft_revision: 2, notes: [note("a")], definition: greeting() });
  const late = { workflow_id, expected_revision: 1, name: "Late", notes: [] };
  await expect(asPerson()("save_draft", late)).rejects.toMatchObject({ code: "REVISION_CONFLICT" });
  expect(await asPerson()("get_workflow", { workflow_id })).toMatchObject({ name: "Noted 1", notes: [note("a")] });
});

test("an agent does not see notes, and its changes do not delete them", async () => {
  const { workflow_id } = await drawWithNotes([note("a")]);
  expect(await asAgent()("get_workflow", { workflow_id })).not.toHaveProperty("notes");
  const changed = await asAgent()("update_workflow", { workflow_id, definition: greeting() });
  expect(changed).not.toHaveProperty("notes");
  expect(await asAgent()("create_workflow", { name: "Its own" })).not.toHaveProperty("notes");
  expect((await asPerson()("get_workflow", { workflow_id })).notes).toEqual([note("a")]);
});

test("no version contains notes, and a draft that differs only in notes has nothing to publish", async () => {
  const { workflow_id } = await drawWithNotes([note("a")]);
  await asPerson()("deploy_workflow", { workflow_id, slug: `noted-${workflows}` });
  const noted = await asPerson()("save_draft", { workflow_id, expected_revision: 2, notes: [note("b")] });
  expect(noted).toMatchObject({ has_unpublished_changes: false, notes: [note("b")] });
  const deployed = await asPerson()("get_workflow", { workflow_id, version: "deployed" });
  expect(deployed).not.toHaveProperty("notes");
  expect(JSON.stringify(deployed)).not.toContain("Ask Ada");
});

test("a duplicate and an exported document include the notes", async () => {
  const { workflow_id } = await drawWithNotes([note("a"), note("b", { text: "" })]);
  const copy = await asPerson()("duplicate_workflow", { workflow_id });
  expect(copy.notes).toEqual([note("a"), note("b", { text: "" })]);
  const document = await asPerson()("export_workflow", { workflow_id });
  const { workflow } = await asPerson()("import_workflow", { document });
  expect(workflow.notes).toEqual(copy.notes);
});

test.each([
  ["too many notes", Array.from({ length: LIMITS.canvasNotes + 1 }, (_, at) => note(`n${at}`)), "notes"],
  ["two notes with the same id", [note("a"), note("a")], "notes"],
  ["a note that is too long", [note("a", { text: "x".repeat(LIMITS.noteCharacters + 1) })], "notes.0.text"],
  ["a note that is too small", [note("a", { width: LIMITS.noteSizeMin - 1 })], "notes.0.width"],
  ["a note with the id of a step", [{ ...note("a"), id: "start" }], "notes.0.id"],
  ["a note of an unknown color", [{ ...note("a"), color: "plaid" as CanvasNote["color"] }], "notes.0.color"],
])("%s: the draft is refused and the error names the field", async (_what, notes, field) => {
  const { workflow_id } = await drawWithNotes([]);
  await expect(asPerson()("save_draft", { workflow_id, expected_revision: 2, notes })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: [expect.objectContaining({ field })],
  });
});

test("a draft is drawn from top to bottom until a save turns it, and a later save without a direction keeps it", async () => {
  const { workflow_id, saved } = await drawWithNotes([]);
  expect(saved.orientation).toBe("vertical");
  const turned = await asPerson()("save_draft", { workflow_id, expected_revision: 2, orientation: "horizontal" });
  expect(turned).toMatchObject({ draft_revision: 3, orientation: "horizontal", definition: greeting() });
  const named = await asPerson()("save_draft", { workflow_id, expected_revision: 3, name: "Turned" });
  expect(named.orientation).toBe("horizontal");
});

test("no version and no agent sees the orientation, and turning a draft leaves nothing to publish", async () => {
  const { workflow_id } = await drawWithNotes([]);
  await asPerson()("deploy_workflow", { workflow_id, slug: `turned-${workflows}` });
  const turned = await asPerson()("save_draft", { workflow_id, expected_revision: 2, orientation: "horizontal" });
  expect(turned.has_unpublished_changes).toBe(false);
  expect(await asPerson()("get_workflow", { workflow_id, version: "deployed" })).not.toHaveProperty("orientation");
  expect(await asAgent()("get_workflow", { workflow_id })).not.toHaveProperty("orientation");
  const renamed = await asAgent()("update_workflow", { workflow_id, name: "Renamed" });
  expect(renamed).not.toHaveProperty("orientation");
  expect((await asPerson()("get_workflow", { workflow_id })).orientation).toBe("horizontal");
});

test("a viewer sees the direction of a draft", async () => {
  const { workflow_id } = await drawWithNotes([]);
  await asPerson()("save_draft", { workflow_id, expected_revision: 2, orientation: "horizontal" });
  const viewer = callAs({ kind: "user", role: "viewer", name: "Vi", ...workspace });
  expect((await viewer("get_workflow", { workflow_id })).orientation).toBe("horizontal");
});

test("a duplicate and an exported document keep the direction", async () => {
  const { workflow_id } = await drawWithNotes([]);
  await asPerson()("save_draft", { workflow_id, expected_revision: 2, orientation: "horizontal" });
  expect((await asPerson()("duplicate_workflow", { workflow_id })).orientation).toBe("horizontal");
  const document = await asPerson()("export_workflow", { workflow_id });
  const { workflow } = await asPerson()("import_workflow", { document });
  expect(workflow.orientation).toBe("horizontal");
});
