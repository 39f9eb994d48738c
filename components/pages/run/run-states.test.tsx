import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { RunObject } from "#lib/contract/run/run";
import type { RunGraphObject, StepDetailObject } from "#lib/contract/wire/web";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { deriveLights } from "@/components/canvas/store/derive-lights";
import { listWaits } from "@/components/features/runs/list-waits";
import { RunDetail } from "@/components/pages/run/run-detail";
import { sampleApproval } from "@/components/testing/approval.fixture";
import { holdTime } from "@/components/testing/hold-time.fixture";
import { idOf, pageOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { executedGraph, pureStep, runError, sampleRun, stepDetail } from "@/components/testing/run.fixture";
import { shownStatusOf } from "@/components/words/status";

/** How often the page looks at a run in progress while no stream is open. */
const POLL_MS = 1_500;

interface DetailOptions {
  role?: Role;
  graph?: Partial<RunGraphObject>;
  /** The input of each step, which the timeline leaves out. */
  stepInput?: StepDetailObject["input"];
}

function renderRun(run: RunObject, { role = "owner", graph = {}, stepInput = { order: 7 } }: DetailOptions = {}) {
  return renderPage(<RunDetail runId={run.run_id} />, {
    address: `/runs/${run.run_id}`,
    session: { role },
    prepare: (server) => {
      server.answer("get_run_status", run);
      server.answer("get_run_graph", executedGraph(graph));
      server.answer("get_run_step", stepDetail({ input: stepInput }));
      server.answer("list_runs", pageOf([]));
    },
  });
}

const FAILED = sampleRun({ status: "failed", output: null, error: runError() });
const RUNNING = sampleRun({
  status: "running",
  output: null,
  started_at: secondsAgo(5),
  completed_at: null,
  duration_ms: null,
});
const details = async () => within(await screen.findByRole("complementary", { name: "Details" }));

test("a run that succeeded shows its output and runs again with its input", async () => {
  const { user, server, router } = renderRun(sampleRun());
  const panel = await details();
  panel.getByRole("tab", { name: "Output", selected: true });
  panel.getByRole("region", { name: "output" });
  expect(screen.queryByRole("button", { name: "Cancel run" })).toBeNull();
  await expectAccessible();
  server.answer("replay_run", sampleRun({ run_id: idOf(9) }));
  await user.click(screen.getByRole("button", { name: "Run again" }));
  await eventually(() => expect(router.push).toHaveBeenCalledWith(`/runs/${idOf(9)}`));
  expect(server.sent("replay_run")).toEqual([{ run_id: idOf(1), mode: "from_start", version: "latest" }]);
});

test("running again with an input that no longer fits opens the replay dialog on the published version", async () => {
  const { user, server } = renderRun(sampleRun({ workflow_version_id: idOf(3) }));
  server.refuse("replay_run", { code: "INPUT_VALIDATION_FAILED", message: "The input does not fit." });
  server.answer("preview_replay", {
    version: 5,
    is_same: false,
    definition: { nodes: [], edges: [] },
    changed_steps: [],
    input_problems: [{ field: "region", message: "region is required", type: "string" }],
  });
  await user.click(await screen.findByRole("button", { name: "Run again" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Replay this run" }));
  await dialog.findByRole("textbox", { name: "region" });
});

test("a dry run and a run in progress open the form of the action to run it again", async () => {
  renderRun(sampleRun({ dry_run: true }));
  const link = await screen.findByRole("link", { name: "Run again" });
  expect(link.getAttribute("href")).toBe(`/actions/refund?tab=try&from=${idOf(1)}`);
});

test("a cancelled run says who cancelled it", async () => {
  renderRun(sampleRun({ status: "cancelled", output: null, cancelled_by: { type: "user", id: null, name: "Ann" } }));
  (await details()).getByText("Ann cancelled the run.");
});

test("a run that failed opens with its error and the advice for it", async () => {
  renderRun(FAILED);
  const panel = await details();
  panel.getByRole("tab", { name: "Error", selected: true });
  panel.getByText("A value is invalid");
  panel.getByText("amount must be a number");
});

test("a run that fails to load offers another try", async () => {
  const { user, server } = renderPage(<RunDetail runId={idOf(1)} />, {
    prepare: (fake) => fake.refuse("get_run_status", { code: "INTERNAL_ERROR", message: "It did not work." }),
  });
  const alert = within(await screen.findByRole("alert"));
  server.answer("get_run_status", sampleRun());
  server.answer("get_run_graph", executedGraph());
  server.answer("list_runs", pageOf([]));
  await user.click(alert.getByRole("button", { name: "Try again" }));
  await details();
});

test("a run that ended while the question was open is not reported as canceled", async () => {
  const { user, server } = renderRun(RUNNING);
  server.answer("cancel_run", sampleRun());
  await user.click(await screen.findByRole("button", { name: "Cancel run" }));
  const dialog = await screen.findByRole("alertdialog");
  server.answer("get_run_status", sampleRun());
  await user.click(within(dialog).getByRole("button", { name: "Cancel run" }));
  (await details()).getByText("Whole run");
  await eventually(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.queryByText("Run cancelled.")).toBeNull();
});

test("a refused cancellation says why and keeps the question open", async () => {
  const { user, server } = renderRun(RUNNING);
  server.refuse("cancel_run", { code: "FORBIDDEN", message: "You need the editor role." });
  await user.click(await screen.findByRole("button", { name: "Cancel run" }));
  const dialog = within(await screen.findByRole("alertdialog"));
  await user.click(dialog.getByRole("button", { name: "Cancel run" }));
  await dialog.findByText("You need the editor role.");
});

test("a dry run says that no step ran", async () => {
  renderRun(sampleRun({ dry_run: true, source: "dry_run", output: null }));
  (await details()).getByText("A dry run: the input was checked, and no step ran.");
});

test("a user who may not approve sees the request without the decision buttons", async () => {
  renderRun(sampleRun({ ...RUNNING, status: "waiting_for_approval", approval: sampleApproval() }), { role: "viewer" });
  const panel = await details();
  panel.getByText("Refund 500 EUR?");
  expect(panel.queryByRole("button", { name: /^Approve/ })).toBeNull();
});

test("an expired request says so", async () => {
  const approval = sampleApproval({ expires_at: secondsAgo(1) });
  renderRun(sampleRun({ ...RUNNING, status: "waiting_for_approval", approval }));
  (await details()).getByText("The request has expired.");
});

test("a finished step appears on the page of a run in progress without a reload", async () => {
  const skip = holdTime();
  const { server } = renderRun({ ...RUNNING, steps: [pureStep("fetch", { status: "started", completed_at: null })] });
  await screen.findByRole("option", { name: /fetch, Running/ });
  server.answer("get_run_status", sampleRun({ steps: [pureStep("fetch")] }));
  await skip(POLL_MS);
  await screen.findByRole("option", { name: /fetch, Succeeded/ });
  await eventually(() => expect(server.sent("get_run_graph").length).toBeGreaterThan(1));
});

test("a run that waits for a callback says so, with the time that is left", async () => {
  const step = pureStep("wait", {
    type: "wait_for_callback",
    name: "Payment",
    status: "started",
    started_at: secondsAgo(5),
    completed_at: null,
    duration_ms: null,
    input: null,
  });
  renderRun({ ...RUNNING, steps: [step] }, { stepInput: { expires_seconds: 3_605 } });
  const panel = await details();
  panel.getByText("Waiting for a callback: Payment");
  await panel.findByText(
    /^The run continues after a request to the address of the step\. The address expires in \d+ min/,
  );
  await expectAccessible();
});

test.each([
  ["delay", "Waiting for a delay"],
  ["wait_for_callback", "Waiting for a callback"],
] as const)("a %s that has started says what it waits for, not that it is running", async (type, words) => {
  const step = pureStep("wait", { type, name: "Pause", status: "started", completed_at: null, duration_ms: null });
  const { user } = renderRun({ ...RUNNING, steps: [step] }, { stepInput: {} });
  const row = await screen.findByRole("option", { name: new RegExp(`Pause, ${words}`) });
  await user.click(row);
  const panel = await details();
  expect(panel.getByRole("heading", { name: "Pause" }).closest("header")?.textContent).toContain(words);
  expect(panel.queryByText(/running/i)).toBeNull();
  await user.click(panel.getByRole("tab", { name: "Output" }));
  expect(panel.queryByText(/running/i)).toBeNull();
  expect(deriveLights({ ...RUNNING, steps: [step] }, [], {}).wait?.status).toBe(shownStatusOf(step));
});

test("a run in a delay shows when it continues, and nothing once it has ended", async () => {
  const until = secondsAgo(-7_200);
  const step = pureStep("wait", {
    type: "delay",
    name: "Tomorrow",
    status: "started",
    completed_at: null,
    input: null,
  });
  renderRun({ ...RUNNING, steps: [step] }, { stepInput: { until } });
  const panel = await details();
  panel.getByText("Waiting for a delay: Tomorrow");
  await panel.findByText(/^The run continues in /);
  expect(listWaits({ status: "cancelled", steps: [step] })).toEqual([]);
});
