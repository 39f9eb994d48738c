import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { analyse } from "@/components/canvas/document/analysis";
import { testNode } from "@/components/canvas/document/test-definition";
import { createEditorStore } from "@/components/canvas/store/editor-store";
import { useChecks } from "@/components/canvas/store/use-checks";

const PROBLEM: GraphProblem = { severity: "error", code: "ACTION_INPUT_COUNT", message: "It has no start." };
let isReachable = false;
vi.mock("@/components/canvas/document/check-definition", () => {
  if (!isReachable) throw new Error("The connection was lost.");
  return { checkDefinition: () => [PROBLEM] };
});

afterEach(() => void vi.useRealTimers());

test("a drawing has its steps before the checks have loaded, and its problems once a retry has loaded them", async () => {
  vi.useFakeTimers();
  const definition = { nodes: [testNode("wait", "delay", 0, 0, { seconds: 5 })], edges: [] };
  const editor = createEditorStore({ definition, name: "Refunds", isReadOnly: false, now: Date.now });
  const { unmount } = renderHook(() => useChecks(editor));
  await act(() => vi.dynamicImportSettled());
  expect(editor.getState().isChecked).toBe(false);
  expect(analyse(definition)).toMatchObject({ problems: [], warnings: [] });
  expect([...analyse(definition).steps]).toEqual([["wait", 1]]);
  isReachable = true;
  await act(() => vi.advanceTimersToNextTimerAsync());
  await act(() => vi.dynamicImportSettled());
  expect(editor.getState().isChecked).toBe(true);
  expect(analyse(definition).problems).toEqual([PROBLEM]);
  unmount();
});
