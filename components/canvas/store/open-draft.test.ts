import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { editNodeData } from "@/components/canvas/document/edit-data";
import { branchingDefinition } from "@/components/canvas/document/test-definition";
import { type DraftSession, openDraft } from "@/components/canvas/store/open-draft";

/** The server's state; answers as `save_draft` and `get_workflow` do. */
let stored: WorkflowDetailObject;
let isAnswerLost = false;
const leaving: (() => void)[] = [];

beforeEach(() => {
  const shown = { workflow_id: "w1", name: "Refunds", draft_revision: 1, updated_at: "2026-01-01T00:00:00.000Z" };
  stored = { ...shown, definition: branchingDefinition(), notes: [] } as Partial<WorkflowDetailObject> as typeof stored;
  isAnswerLost = false;
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", new EventTarget());
  vi.stubGlobal("fetch", async (path: string, { body }: { body: string }) => answer(path, JSON.parse(body)));
});
afterEach(() => {
  for (const leave of leaving.splice(0)) leave();
  vi.unstubAllGlobals();
});

function answer(path: string, { expected_revision: expected, ...changes }: Record<string, unknown>): Response {
  if (path.endsWith("save_draft")) {
    if (expected !== stored.draft_revision) {
      return Response.json({ error: "Someone else was first.", code: "REVISION_CONFLICT" }, { status: 409 });
    }
    stored = { ...stored, ...changes, draft_revision: stored.draft_revision + 1 };
    if (isAnswerLost) throw new TypeError("fetch failed");
  }
  return Response.json(stored);
}

function open(isReadOnly = false): DraftSession {
  const session = openDraft(structuredClone(stored), { isReadOnly, copy: null });
  leaving.push(session.connect());
  return session;
}

const renamed = (definition: WorkflowDetailObject["definition"], id: string, name: string) =>
  editNodeData(definition, id, ["name"], name);
function rename({ editor }: DraftSession, id: string, name: string): void {
  editor.getState().edit(renamed(editor.getState().definition, id, name));
}
function somebodyRenames(id: string, name: string): WorkflowDetailObject {
  const definition = renamed(stored.definition, id, name);
  stored = { ...stored, definition, draft_revision: stored.draft_revision + 1 };
  return structuredClone(stored);
}
const nameOf = ({ editor }: DraftSession, id: string) =>
  editor.getState().definition.nodes.find((node) => node.id === id)?.data.name;

test("undo after merging another user's changes reverts only the user's own", async () => {
  const session = open();
  rename(session, "refund", "Pay back");
  await session.saveNow();
  expect(session.adopt(somebodyRenames("decline", "Say no"))).toBe(true);
  expect([nameOf(session, "refund"), nameOf(session, "decline")]).toEqual(["Pay back", "Say no"]);
  session.editor.getState().undo();
  expect([nameOf(session, "refund"), nameOf(session, "decline")]).toEqual(["Refund", "Say no"]);
  await session.saveNow();
  expect(stored.definition).toEqual(session.editor.getState().definition);
});

test("undo stops before a step that conflicts with another user's changes", async () => {
  const session = open();
  rename(session, "decline", "Refuse");
  rename(session, "refund", "Pay back");
  rename(session, "end", "Answer");
  await session.saveNow();
  session.adopt(somebodyRenames("refund", "Return"));
  for (let step = 0; step < 3; step += 1) session.editor.getState().undo();
  expect(["decline", "refund", "end"].map((id) => nameOf(session, id))).toEqual(["Refuse", "Return", undefined]);
});

test("a read-only user sees the latest drawing and name", () => {
  const session = open(true);
  const theirs = { ...somebodyRenames("refund", "Return"), name: "Returns" };
  expect(session.adopt(theirs)).toBe(true);
  expect(session.editor.getState()).toMatchObject({ name: "Returns", definition: theirs.definition });
});

test("a save whose response was lost counts as the user's own, even after further changes", async () => {
  const session = open();
  rename(session, "refund", "Pay");
  isAnswerLost = true;
  expect(await session.saveNow()).toBe(false);
  isAnswerLost = false;
  rename(session, "refund", "Pay back");
  expect(await session.saveNow()).toBe(true);
  expect(session.draft.getState()).toMatchObject({ merges: 0, conflict: null, status: { kind: "saved" } });
  expect(stored.draft_revision).toBe(3);
  expect(stored.definition.nodes.find(({ id }) => id === "refund")?.data.name).toBe("Pay back");
});
