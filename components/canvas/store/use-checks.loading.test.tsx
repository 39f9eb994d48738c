import { act, fireEvent, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { GraphProblem, WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { analyse, hasChecks } from "@/components/canvas/document/analysis";
import { testNode } from "@/components/canvas/document/test-definition";
import { openDraft } from "@/components/canvas/store/open-draft";
import { useChecks } from "@/components/canvas/store/use-checks";

const PROBLEM: GraphProblem = { severity: "error", code: "ACTION_INPUT_COUNT", message: "It has no start." };
let isReachable = false;
vi.mock("@/components/canvas/document/check-definition", () => {
  if (!isReachable) throw new Error("The connection was lost.");
  return { checkDefinition: () => [PROBLEM] };
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(problems: GraphProblem[]) {
  const workflow = {
    workflow_id: "w1",
    name: "Refunds",
    draft_revision: 1,
    updated_at: "2026-01-01T00:00:00.000Z",
    definition: { nodes: [testNode("wait", "delay", 0, 0, { seconds: 5 })], edges: [] },
    problems,
  } as Partial<WorkflowDetailObject> as WorkflowDetailObject;
  return openDraft(workflow, { isReadOnly: false, copy: null });
}

test("a drawing without errors is checked by the server alone until the user is about to use the page", async () => {
  isReachable = true;
  const session = open([]);
  const { unmount } = renderHook(() => useChecks(session));
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await act(() => vi.dynamicImportSettled());
  expect(hasChecks()).toBe(false);
  unmount();
  isReachable = false;
});

test("a drawing with errors has its steps before the checks have loaded, and its problems once a retry has loaded them", async () => {
  const session = open([PROBLEM]);
  const { definition } = session.editor.getState();
  const { unmount } = renderHook(() => useChecks(session));
  await act(() => vi.dynamicImportSettled());
  expect(session.editor.getState().isChecked).toBe(false);
  expect(analyse(definition)).toMatchObject({ problems: [], warnings: [] });
  expect([...analyse(definition).steps]).toEqual([["wait", 1]]);
  isReachable = true;
  await act(() => vi.advanceTimersToNextTimerAsync());
  await act(() => vi.dynamicImportSettled());
  expect(session.editor.getState().isChecked).toBe(true);
  expect(analyse(definition).problems).toEqual([PROBLEM]);
  unmount();
});

test.each([
  ["a key is pressed", () => fireEvent.keyDown(window)],
  ["the drawing changes", ({ editor }) => editor.getState().edit({ nodes: [], edges: [] })],
] satisfies [string, (session: ReturnType<typeof open>) => unknown][])("the checks apply once %s", async (_, use) => {
  const session = open([]);
  session.editor.setState({ isChecked: false });
  const { unmount } = renderHook(() => useChecks(session));
  await act(() => vi.dynamicImportSettled());
  expect(session.editor.getState().isChecked).toBe(false);
  act(() => void use(session));
  await act(() => vi.dynamicImportSettled());
  expect(session.editor.getState().isChecked).toBe(true);
  unmount();
});
