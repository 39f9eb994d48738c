import { render, renderHook, screen, waitFor } from "@testing-library/react";
import { Component, type ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { branchingDefinition } from "@/components/canvas/document/test-definition";
import { writeLocalCopy } from "@/components/canvas/store/local-copy";
import { useLocalCopy } from "@/components/canvas/store/use-local-copy";

let isReachable = true;
vi.mock("@/components/canvas/store/local-copy-schema", async (load) => {
  if (!isReachable) throw new Error("The connection was lost.");
  return load();
});
const COPY = {
  name: "Refunds",
  revision: 3,
  definition: branchingDefinition(),
  notes: [],
  orientation: "vertical",
} as const;

/** Like the page around the editor, which offers to try again. */
class Boundary extends Component<{ children: ReactNode }> {
  static getDerivedStateFromError = () => ({ isStopped: true });
  override state = { isStopped: false };
  override render() {
    return this.state.isStopped ? "stopped" : this.props.children;
  }
}

function Reader() {
  return useLocalCopy("w1") === undefined ? "reading" : "open";
}

afterEach(() => localStorage.clear());

test("a copy that cannot be read because its code does not load stops the page, so that no edit overwrites it", async () => {
  writeLocalCopy("w1", COPY);
  isReachable = false;
  render(
    <Boundary>
      <Reader />
    </Boundary>,
  );
  await screen.findByText("stopped");
  expect(localStorage.length).toBe(1);
  isReachable = true;
});

test("a workflow without an unsaved copy opens at once", () => {
  expect(renderHook(() => useLocalCopy("w1")).result.current).toBeNull();
});

test("an unsaved copy is read before the workflow opens", async () => {
  writeLocalCopy("w1", COPY);
  const { result } = renderHook(() => useLocalCopy("w1"));
  expect(result.current).toBeUndefined();
  await waitFor(() => expect(result.current).toEqual(COPY));
});

test("an unreadable copy counts as none", async () => {
  localStorage.setItem("signalbox.draft.w1", '{"revision": "three"}');
  const { result } = renderHook(() => useLocalCopy("w1"));
  await waitFor(() => expect(result.current).toBeNull());
});
