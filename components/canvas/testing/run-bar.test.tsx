import { act, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { RunObject } from "#lib/contract/run/run";
import { EMPTY_DEFINITION, type GraphNode } from "#lib/contract/workflow/graph";
import { eventually } from "#lib/support/eventually.fixture";
import { testEdge, testNode } from "@/components/canvas/document/test-definition";
import { renderCanvas } from "@/components/canvas/store/render-canvas.fixture";
import { RunBar } from "@/components/canvas/testing/run-bar";
import { idOf } from "@/components/testing/page.fixture";
import { expectAccessible } from "@/components/testing/render-page.fixture";
import { executedGraph, sampleRun, sampleStep } from "@/components/testing/run.fixture";

const NODES: readonly GraphNode[] = [
  testNode("start", "action_input", 0, 0, { properties: [{ name: "amount", type: "number" }] }),
  testNode("net", "transform", 0, 200, { fields: [{ name: "value", value: "1" }] }),
  testNode("mail", "transform", 0, 400, { fields: [{ name: "to", value: "1" }] }),
];
const done = (id: string, output: unknown, more = {}) =>
  sampleStep({ step_id: id, name: id, type: "transform", output, ...more });
const STEPS = [
  done("start", { amount: 5 }, { type: "action_input" }),
  done("net", { value: 4 }),
  done("mail", { to: "[REDACTED_EMAIL]" }),
];

interface Options {
  run?: Partial<RunObject>;
  executed?: readonly GraphNode[];
  isReadOnly?: boolean;
}

async function renderBar({ run: changes = {}, executed = NODES, isReadOnly = false }: Options = {}) {
  const run = sampleRun({ workflow_id: "w1", input: { amount: 5 }, steps: STEPS, ...changes });
  const definition = {
    ...EMPTY_DEFINITION,
    nodes: [...executed],
    edges: [testEdge("start", "net"), testEdge("net", "mail")],
  };
  const page = renderCanvas(() => <RunBar runId={idOf(1)} />, {
    nodes: [...NODES],
    isReadOnly,
    prepare: (server) => {
      server.answer("get_run_status", run);
      server.answer("get_run_graph", executedGraph({ version: 3, definition }));
    },
  });
  return { ...page, tests: () => page.session.tests.getState() };
}

const bar = async () => within(await screen.findByRole("region", { name: "Run in the editor" }));

test("an opened run shows its lights, inputs, and outputs at the steps, and its version", async () => {
  const { tests } = await renderBar();
  const shown = await bar();
  shown.getByText(/of version 3/);
  shown.getByText("The draft is the same.");
  expect(Object.keys(tests().lights)).toEqual(["start", "net", "mail"]);
  expect(tests().results.net?.step.output).toEqual({ value: 4 });
  await expectAccessible();
});

test("the bar says how the draft differs from the executed version", async () => {
  const [start, net] = NODES;
  if (!start || !net) throw new Error("no nodes");
  await renderBar({ executed: [start, { ...net, data: { fields: [] } }] });
  (await bar()).getByText(/The draft differs from version 3: 1 step changed, 1 step added/);
});

test("the run's input becomes the test input, with the id of its run", async () => {
  const { tests, user } = await renderBar();
  await user.click((await bar()).getByRole("button", { name: "Use as test input" }));
  expect(tests()).toMatchObject({ texts: { amount: "5" }, textsFromRunId: idOf(1), isOpen: true });
});

test("pinning outputs names redacted ones and keeps the run that has their real values", async () => {
  const { tests, user } = await renderBar();
  await user.click((await bar()).getByRole("button", { name: "Pin outputs" }));
  await screen.findByText(
    /^2 outputs pinned. 1 with redacted values: tests use the original values until Signalbox deletes them/,
  );
  expect(tests().pins).toEqual({
    net: { value: { value: 4 }, fromRunId: idOf(1) },
    mail: { value: { to: "[REDACTED_EMAIL]" }, fromRunId: idOf(1) },
  });
});

test("an output that is too large is not pinned, and the message says so", async () => {
  const { tests, user } = await renderBar({ run: { steps: [done("net", "cut", { truncated: true })] } });
  await user.click((await bar()).getByRole("button", { name: "Pin outputs" }));
  await screen.findByText("0 outputs pinned. 1 too large to pin.");
  expect(tests().pins).toEqual({});
});

test("a viewer sees the values but can neither pin them nor use them as input", async () => {
  await renderBar({ isReadOnly: true });
  const shown = await bar();
  expect(shown.queryByRole("button", { name: /Pin|Use as/ })).toBeNull();
});

test("a test that the user starts takes the place of the run, which can be shown again", async () => {
  const { session, tests, user } = await renderBar();
  const shown = await bar();
  act(() => session.tests.getState().begin(sampleRun({ run_id: idOf(2) }), null, []));
  await user.click(shown.getByRole("button", { name: "Show its values again" }));
  expect(tests().run?.run_id).toBe(idOf(1));
});

test("closing the run removes its lights", async () => {
  const { tests, user } = await renderBar();
  await user.click((await bar()).getByRole("button", { name: "Close the run" }));
  expect(tests()).toMatchObject({ openedRunId: null, run: null, lights: {} });
});

test("a run of another workflow is refused", async () => {
  const { tests } = await renderBar({ run: { workflow_id: idOf(8) } });
  await screen.findByText("That run belongs to another workflow.");
  await eventually(() => expect(tests().lights).toEqual({}));
  expect(screen.queryByRole("region", { name: "Run in the editor" })).toBeNull();
});
