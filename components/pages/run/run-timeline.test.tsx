import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { StepItem } from "#lib/contract/run/journal";
import type { RunObject } from "#lib/contract/run/run";
import type { RunGraphObject } from "#lib/contract/wire/web";
import { eventually } from "#lib/support/eventually.fixture";
import { RunTimeline } from "@/components/pages/run/run-timeline";
import { expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import {
  chainOf,
  executedGraph,
  pureStep,
  runError,
  runMoment,
  sampleRun,
  stepDetail,
  stepError,
  stepOfItem,
} from "@/components/testing/run.fixture";

interface TimelineOptions {
  graph?: Partial<RunGraphObject>;
  search?: string;
}

function renderTimeline(run: RunObject, { graph = {}, search = "" }: TimelineOptions = {}) {
  return renderPage(<RunTimeline run={run} />, {
    address: `/runs/${run.run_id}${search}`,
    prepare: (server) => {
      server.answer("get_run_graph", executedGraph(graph));
      server.answer("get_run_step", stepDetail());
    },
  });
}

const THREE = sampleRun({ steps: [pureStep("first"), pureStep("second"), pureStep("third")] });

const rowNames = () => within(screen.getByRole("listbox", { name: "Timeline" })).getAllByRole("option");
const row = (name: RegExp) => screen.findByRole("option", { name });
const chosen = () => rowNames().filter((option) => option.getAttribute("aria-selected") === "true");
const runOf = (...steps: StepItem[]) => sampleRun({ steps });

test("the rows are the run, its queue and its steps, each with its outcome and duration", async () => {
  renderTimeline(runOf(pureStep("fetch"), pureStep("send", { status: "failed", error: stepError() })));
  const texts = rowNames().map(({ textContent }) => textContent);
  expect(texts).toEqual([
    expect.stringMatching(/^Whole run, Succeeded.*1\.0 s|^Whole run, Succeeded.*1 s/),
    expect.stringMatching(/^Queued.*100 ms/),
    expect.stringMatching(/^01fetch, Succeeded.*50 ms/),
    expect.stringMatching(/^02send, Failed.*50 ms/),
  ]);
  await expectAccessible();
});

test("a retried step shows its attempts", async () => {
  renderTimeline(runOf(pureStep("call", { attempt: 3 })));
  const option = await row(/call, Succeeded, attempt 3/);
  expect(option.textContent).toContain("50 ms ↻2");
});

test("a skipped step says so and explains that a condition led past it", async () => {
  const { user } = renderTimeline(runOf(pureStep("branch", { status: "skipped" })));
  const option = await row(/branch/);
  expect(option.textContent).toContain("skipped");
  await user.click(option);
  await screen.findByText("A condition skipped this step, so it didn't run.");
});

test("a step that waits for approval is a row that waits", async () => {
  const step = pureStep("ask", { status: "pending_approval", completed_at: null, duration_ms: null });
  renderTimeline(sampleRun({ status: "waiting_for_approval", completed_at: null, duration_ms: null, steps: [step] }));
  await row(/ask, Waiting for approval/);
});

test("a step reused from the original run is marked", async () => {
  renderTimeline(runOf(pureStep("fetch", { reused: true })));
  expect((await row(/fetch/)).textContent).toContain("reused");
});

test("steps of the version that an ended run did not reach are listed as not reached", async () => {
  const definition = chainOf(
    { id: "fetch", type: "transform", name: "Fetch" },
    { id: "send", type: "transform", name: "Send" },
  );
  const { user } = renderTimeline(runOf(pureStep("fetch")), { graph: { definition } });
  const option = await row(/Send/);
  expect(option.textContent).toContain("not reached");
  await user.click(option);
  await screen.findByText("The run ended before it reached this step.");
});

test("steps that a run in progress has not reached yet are listed as not started", async () => {
  const definition = chainOf({ id: "send", type: "transform", name: "Send" });
  const run = sampleRun({ status: "running", completed_at: null, duration_ms: null });
  const { user } = renderTimeline(run, { graph: { definition } });
  const option = await row(/Send/);
  expect(option.textContent).toContain("not started");
  await user.click(option);
  await screen.findByText("The run hasn't reached this step yet.");
});

test("the steps in a loop are numbered by item, and the loop counts its items", async () => {
  const loop = pureStep("each", { type: "loop" });
  renderTimeline(runOf(loop, stepOfItem("send", "each", 0), stepOfItem("send", "each", 1)));
  await row(/each · 2 items/);
  await row(/send · item 1/);
  await row(/send · item 2/);
});

test("a long loop shows its first item and the failed one, and the others when asked", async () => {
  const items = Array.from({ length: 30 }, (_, index) =>
    stepOfItem("send", "each", index, index === 20 ? { status: "failed_continued", error: stepError() } : {}),
  );
  const { user } = renderTimeline(runOf(pureStep("each", { type: "loop" }), ...items));
  await row(/send · item 1/);
  await row(/send · item 21, Failed, continued/);
  expect(screen.queryByRole("option", { name: /send · item 2,/ })).toBeNull();
  await user.click(await row(/Show 28 more items/));
  await row(/send · item 2,/);
  expect(screen.queryByRole("option", { name: /more items/ })).toBeNull();
});

test("the failed step is selected first, otherwise the whole run", async () => {
  const failed = pureStep("send", { status: "failed", error: stepError() });
  renderTimeline(sampleRun({ status: "failed", error: runError({ step_id: "send" }), steps: [pureStep("a"), failed] }));
  expect((await row(/send/)).getAttribute("aria-selected")).toBe("true");
  expect(chosen()).toHaveLength(1);
});

test("arrows, Home and End move between the rows, and the panel follows", async () => {
  const { user } = renderTimeline(THREE);
  const [whole, queued] = rowNames();
  const third = await row(/third/);
  whole?.focus();
  await user.keyboard("{ArrowDown}");
  await expectFocus(queued ?? document.body);
  await user.keyboard("{End}");
  await expectFocus(third);
  await screen.findByRole("heading", { name: "third" });
  await user.keyboard("{ArrowDown}");
  await expectFocus(third);
  await user.keyboard("{ArrowUp}");
  await screen.findByRole("heading", { name: "second" });
  await user.keyboard("{Home}");
  await screen.findByRole("heading", { name: "Whole run" });
});

test("only the selected row is a stop of the Tab key", async () => {
  const { user } = renderTimeline(THREE);
  await user.click(await row(/second/));
  expect(rowNames().map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, -1, 0, -1]);
});

test("the selected step is in the address, and a link to it opens it", async () => {
  const { user } = renderTimeline(THREE, { search: "?step=second" });
  await screen.findByRole("heading", { name: "second" });
  await user.click(await row(/third/));
  await eventually(() => expect(window.location.search).toBe("?step=third"));
});

test("zooming shows which part of the run is visible, and the whole run again", async () => {
  const { user } = renderTimeline(THREE);
  const out = screen.getByRole("button", { name: /^Zoom out/ });
  expect(out).toHaveProperty("disabled", true);
  await user.click(screen.getByRole("button", { name: /^Zoom in/ }));
  screen.getByRole("button", { name: /^Later/ });
  screen.getByText(/^\S+( \S+)? to /);
  await eventually(() => expect(window.location.search).toMatch(/^\?time=\d+-\d+$/));
  await user.click(screen.getByRole("button", { name: /^Fit run/ }));
  expect(screen.queryByRole("button", { name: /^Later/ })).toBeNull();
  await eventually(() => expect(window.location.search).toBe(""));
});

test("the timeline's keys zoom like its buttons", async () => {
  const { user } = renderTimeline(THREE);
  await user.click(await row(/second/));
  await user.keyboard("f");
  await screen.findByRole("button", { name: /^Earlier/ });
  await user.keyboard("0");
  expect(screen.queryByRole("button", { name: /^Earlier/ })).toBeNull();
  await user.keyboard("+");
  await screen.findByRole("button", { name: /^Earlier/ });
  await user.keyboard("-");
  expect(screen.queryByRole("button", { name: /^Earlier/ })).toBeNull();
});

test("a dry run lists no steps as not reached", async () => {
  const definition = chainOf({ id: "send", type: "transform", name: "Send" });
  renderTimeline(sampleRun({ dry_run: true, started_at: runMoment(0) }), {
    graph: { definition, workflow_name: "Refunds" },
  });
  expect(rowNames()).toHaveLength(1);
});

test("the steps of a very large run are loaded page by page", async () => {
  const page = (next_cursor: string | null) => ({ total: 3, next_cursor, loops: [] });
  const run = sampleRun({ steps: [pureStep("first")], steps_page: page("7") });
  const { user } = renderPage(<RunTimeline run={run} />, {
    address: `/runs/${run.run_id}`,
    prepare: (server) => {
      server.answer("get_run_graph", executedGraph({}));
      server.answer("get_run_step", stepDetail());
      server.answer("get_run_status", ({ steps_cursor }) =>
        steps_cursor === "7"
          ? sampleRun({ steps: [pureStep("second")], steps_page: page("9") })
          : sampleRun({ steps: [pureStep("third")], steps_page: page(null) }),
      );
    },
  });
  expect(screen.queryByText("This run has 3 steps. The first 1 are shown.")).not.toBeNull();
  await user.click(screen.getByRole("button", { name: "Show more" }));
  await row(/second, Succeeded/);
  await user.click(screen.getByRole("button", { name: "Show more" }));
  await row(/third, Succeeded/);
  expect(
    rowNames()
      .slice(2)
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringContaining("first"), expect.stringContaining("second"), expect.stringContaining("third")]);
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  expect(screen.queryByText(/This run has/)).toBeNull();
});
