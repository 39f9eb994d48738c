import { expect, test, vi } from "vitest";
import { openEditor } from "@/components/canvas/store/open-editor.fixture";
import { fullNodeId } from "@/components/canvas/store/panel-slice";

test.each([
  ["condition", "setup"],
  ["maxRetries", "retries"],
] as const)("a step that is opened at the field %s shows the tab %s and asks for the field", (field, tab) => {
  const { editor } = openEditor();
  editor().open("refund", field);
  expect(editor()).toMatchObject({ isPanelOpen: true, panelTab: tab, focusWish: { nodeId: "refund", field } });
  editor().serveWish();
  expect(editor().focusWish).toBeNull();
});

test("the output tab stays open for the next step, and other tabs reset", () => {
  const { editor } = openEditor();
  editor().openOutput("refund");
  editor().select(["end"]);
  expect(editor().panelTab).toBe("output");
  editor().showTab("retries");
  editor().select(["refund"]);
  expect(editor().panelTab).toBe("setup");
});

test("a step is open in its workspace until it is closed or deleted, or another selection has no single step", () => {
  const { store, editor } = openEditor();
  editor().openFull("refund");
  expect(fullNodeId(editor())).toBe("refund");
  editor().select(["end"]);
  expect(fullNodeId(editor())).toBe("end");
  const { definition } = editor();
  store.setState({ definition: { ...definition, nodes: definition.nodes.filter(({ id }) => id !== "end") } });
  expect(fullNodeId(editor())).toBeNull();
  editor().select(["refund", "decline"]);
  expect(editor()).toMatchObject({ isPanelOpen: false, isFullSize: false });
});

test("a new step reports the problems of the fields that the user has left, and all before publishing", () => {
  const { store, editor } = openEditor();
  editor().openFresh("refund");
  editor().leaveField("refund", "condition");
  editor().leaveField("end", "condition");
  expect(editor().freshNodes).toEqual({ refund: ["condition"] });
  const heard = vi.fn();
  store.subscribe(heard);
  editor().leaveField("refund", "condition");
  expect(heard).not.toHaveBeenCalled();
  editor().showAllProblems();
  expect(editor().freshNodes).toEqual({});
});

test("typing in the same field notifies no one, and a panel that closes ends it", () => {
  const { store, editor } = openEditor();
  editor().typeIn({ nodeId: "refund", field: "name" });
  const heard = vi.fn();
  store.subscribe(heard);
  editor().typeIn({ nodeId: "refund", field: "name" });
  expect(heard).not.toHaveBeenCalled();
  editor().closePanel();
  expect(editor().typingIn).toBeNull();
});
