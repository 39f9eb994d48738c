import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { StepItem } from "#lib/contract/run/journal";
import type { RunObject } from "#lib/contract/run/run";
import type { RunGraphObject } from "#lib/contract/wire/web";
import { branchingDefinition, testEdge, testNode } from "@/components/canvas/document/test-definition";
import { measureElements } from "@/components/canvas/view/measure-elements.fixture";
import { RunGraph } from "@/components/features/runs/graph/run-graph";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import {
  chainOf,
  executedGraph,
  pureStep,
  sampleRun,
  sampleStep,
  stepError,
  stepOfItem,
} from "@/components/testing/run.fixture";

interface GraphOptions {
  run?: Partial<RunObject>;
  graph?: Partial<RunGraphObject>;
  selectedId?: string;
  selectedStep?: StepItem;
}

async function renderGraph({ run, graph, selectedId, selectedStep }: GraphOptions) {
  measureElements();
  const onSelect = vi.fn();
  const page = renderPage(
    <RunGraph
      run={sampleRun(run)}
      graph={executedGraph(graph)}
      selectedId={selectedId ?? null}
      selectedStep={selectedStep ?? null}
      onSelect={onSelect}
    />,
  );
  await screen.findAllByRole("group", { name: /^Step \d/ });
  return { ...page, onSelect };
}
const card = (name: string) => screen.getByLabelText(new RegExp(`^Step \\d+, ${name},`));
/** The part of a step's accessible name after its name and kind. */
const stateOf = (name: string) => card(name).getAttribute("aria-label")?.split(": ").at(-1);
/** How an edge is drawn: "is-taken" is solid, "draft-line" is dashed. */
const lineOf = (source: string, target: string) =>
  screen
    .getByRole("img", { name: new RegExp(`from ${source} to ${target}`) })
    .querySelector(".react-flow__edge-path")
    ?.getAttribute("class");

const CHAIN = chainOf(
  { id: "start", type: "action_input", name: "Begin" },
  { id: "charge", type: "connector", name: "Charge" },
  { id: "refund", type: "connector", name: "Refund" },
  { id: "end", type: "return_output", name: "Finish" },
);

test("each step shows its status, its duration and its attempts", async () => {
  await renderGraph({
    graph: { definition: CHAIN, taken_edges: ["start-charge", "charge-refund"] },
    run: {
      status: "failed",
      steps: [
        pureStep("start", { type: "action_input" }),
        sampleStep({ step_id: "charge", name: "Charge", duration_ms: 1_200 }),
        sampleStep({ step_id: "refund", name: "Refund", status: "failed", attempt: 3, error: stepError() }),
      ],
    },
  });
  expect(stateOf("Charge")).toMatch(/^Succeeded, 1\.2 s\.$/);
  expect(stateOf("Refund")).toMatch(/^Failed,.* attempt 3\.$/);
  within(card("Refund")).getByText("Failed");
  expect(stateOf("Finish")).toMatch(/not reached/i);
  await expectAccessible(screen.getByRole("region", { name: /Version 1/ }));
});

test("a version that was drawn from left to right has its ports on the sides of the cards", async () => {
  const aside = CHAIN.nodes.map((node, at) => ({ ...node, position: { x: 400 * at, y: 0 } }));
  const { container, unmount } = await renderGraph({ graph: { definition: { ...CHAIN, nodes: aside } } });
  const sides = () =>
    [...container.querySelectorAll("[data-handlepos]")].map((port) => port.getAttribute("data-handlepos"));
  expect(new Set(sides())).toEqual(new Set(["left", "right"]));
  unmount();
});

test.each([
  ["started", /Running/],
  ["pending_approval", /Waiting|approval/i],
  ["skipped", /Skipped/],
  ["timed_out", /Timed out/],
  ["failed_continued", /Failed/],
] as const)("a step that is %s says so", async (status, words) => {
  const step = sampleStep({ step_id: "charge", name: "Charge", status, completed_at: null, duration_ms: null });
  await renderGraph({ graph: { definition: CHAIN }, run: { status: "running", steps: [step] } });
  expect(stateOf("Charge")).toMatch(words);
});

test("a run in progress shows later steps as upcoming, not as missed", async () => {
  await renderGraph({ graph: { definition: CHAIN }, run: { status: "running", completed_at: null, steps: [] } });
  expect(stateOf("Finish")).toMatch(/Not started/);
});

test("only the branch that the run took is drawn solid", async () => {
  const definition = branchingDefinition();
  await renderGraph({
    graph: { definition, taken_edges: ["start-over_500", "over_500.true-refund", "refund-end"] },
    run: {
      steps: ["start", "over_500", "refund", "end"].map((id) => pureStep(id)),
    },
  });
  expect(lineOf("over_500", "refund")).toContain("is-taken");
  expect(lineOf("over_500", "decline")).not.toContain("is-taken");
  expect(lineOf("decline", "end")).not.toContain("is-taken");
});

test("the edge to a running step is animated", async () => {
  await renderGraph({
    graph: { definition: CHAIN, taken_edges: ["start-charge"] },
    run: {
      status: "running",
      steps: [pureStep("start"), sampleStep({ step_id: "charge", status: "started", completed_at: null })],
    },
  });
  expect(lineOf("start", "charge")).toContain("is-running");
  expect(lineOf("charge", "refund")).not.toContain("is-running");
});

test("a step is selected with a click or Enter", async () => {
  const { user, onSelect } = await renderGraph({ graph: { definition: CHAIN } });
  fireEvent.click(card("Charge"));
  expect(onSelect).toHaveBeenLastCalledWith("charge", null);
  card("Refund").focus();
  await user.keyboard("{Enter}");
  expect(onSelect).toHaveBeenLastCalledWith("refund", null);
});

test("the selected step is marked, and the graph is read-only", async () => {
  const { user } = await renderGraph({ graph: { definition: CHAIN }, selectedId: "charge" });
  expect(card("Charge").classList.contains("selected")).toBe(true);
  card("Charge").focus();
  await user.keyboard("{Delete}{Backspace}");
  expect(screen.getAllByLabelText(/^Step \d/)).toHaveLength(4);
  expect(screen.queryByRole("button", { name: /Add/ })).toBeNull();
});

test("a tested draft is labeled as the draft", async () => {
  await renderGraph({ graph: { definition: CHAIN, version: null } });
  screen.getByRole("region", { name: /draft/ });
});

const LOOP = {
  nodes: [
    testNode("start", "action_input", 0, 0, { name: "Begin" }),
    testNode("each", "loop", 0, 200, { name: "Each order" }),
    { ...testNode("pay", "transform", 20, 60, { name: "Pay" }), parentId: "each" },
  ],
  edges: [testEdge("start", "each")],
};
const ITEMS = [
  pureStep("start"),
  pureStep("each", { type: "loop" }),
  stepOfItem("pay", "each", 0, { name: "Pay" }),
  stepOfItem("pay", "each", 1, { name: "Pay", status: "failed", error: stepError() }),
];

test("a loop shows its items together until one of them is selected", async () => {
  const { user, onSelect } = await renderGraph({ graph: { definition: LOOP }, run: { steps: ITEMS } });
  expect(stateOf("Pay")).toMatch(/^Failed/);
  const items = within(screen.getByRole("group", { name: /Items of Each order/ }));
  await user.click(items.getByRole("button", { name: /Next/ }));
  expect(stateOf("Pay")).toMatch(/^Succeeded/);
  fireEvent.click(card("Pay"));
  expect(onSelect).toHaveBeenLastCalledWith("pay", "0");
  await user.click(items.getByRole("button", { name: /Next/ }));
  expect(stateOf("Pay")).toMatch(/^Failed/);
});

test("selecting a step of one item shows that item", async () => {
  await renderGraph({
    graph: { definition: LOOP },
    run: { steps: ITEMS },
    selectedId: "pay",
    ...(ITEMS[2] === undefined ? {} : { selectedStep: ITEMS[2] }),
  });
  screen.getByRole("button", { name: /Item 1 of 2/ });
  expect(stateOf("Pay")).toMatch(/^Succeeded/);
});
