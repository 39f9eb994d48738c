import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { JournalEventObject, StepItem } from "#lib/contract/run/journal";
import type { RunObject } from "#lib/contract/run/run";
import { eventually } from "#lib/support/eventually.fixture";
import { deriveTimeline } from "@/components/features/runs/timeline/derive-timeline";
import { StepPanel } from "@/components/features/runs/timeline/step-panel";
import { idOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { pureStep, runMoment, sampleRun, stepDetail, stepError } from "@/components/testing/run.fixture";

function renderStep(step: StepItem, detail = stepDetail(), changes: Partial<RunObject> = {}) {
  const run = sampleRun({ steps: [step], ...changes });
  const { rows } = deriveTimeline({ run, definition: null, attempts: [], nowMs: Date.parse(runMoment(2_000)) });
  const row = rows.find(({ key }) => key === step.step_id);
  if (row === undefined) throw new Error("the run has no row of its step");
  // The list of JSON lines measures its box, which has no height in jsdom.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
  return renderPage(<StepPanel row={row} run={run} isDeleted={false} actions={null} />, {
    prepare: (server) => server.answer("get_run_step", detail),
  });
}

function journal(event: JournalEventObject["event"], ms: number, changes: Partial<JournalEventObject> = {}) {
  return { event, step_id: "call", iteration: "", attempt: 1, at: runMoment(ms), ...changes };
}

const tab = (name: string) => screen.findByRole("tab", { name });

test("a completed step opens its output, and the input is on another tab", async () => {
  const { user, server } = renderStep(pureStep("call"));
  await eventually(() => expect(screen.getByRole("list", { name: "output" }).textContent).toContain("total: 12"));
  await user.click(await tab("Input"));
  await eventually(() => expect(screen.getByRole("list", { name: "input" }).textContent).toContain("order: 7"));
  expect(window.location.search).toBe("?view=input");
  expect(server.sent("get_run_step")).toEqual([{ run_id: idOf(1), step_id: "call", occurrence: 0 }]);
  await expectAccessible();
});

test("a failed step opens its error and the number of the attempt", async () => {
  const { user } = renderStep(pureStep("call", { status: "failed", attempt: 2, error: stepError() }));
  screen.getByText("A value is invalid");
  screen.getByText("VALIDATION_ERROR · attempt 2");
  await user.click(await tab("Output"));
  await screen.findByText("The step ended without an output.");
});

test("a running step opens its input and has no output yet", async () => {
  const { user } = renderStep(pureStep("call", { status: "started", completed_at: null, duration_ms: null }));
  await screen.findByRole("region", { name: "input" });
  await user.click(await tab("Output"));
  await screen.findByText("The step is running.");
});

test("each attempt shows its outcome and error, and the pause before the next", async () => {
  const error = { code: "RATE_LIMITED", message: "Slow down.", retryAfterMs: 5_000 } as const;
  const events = [
    journal("step_started", 200),
    journal("step_started", 5_250, { attempt: 2, error, durationMs: 50 }),
    journal("step_completed", 5_300, { attempt: 2, durationMs: 50 }),
  ];
  const { user } = renderStep(pureStep("call", { attempt: 2 }), stepDetail({ events }));
  await user.click(await tab("Attempts (2)"));
  await screen.findByText("RATE_LIMITED: Slow down.");
  screen.getByText("failed");
  screen.getByText("succeeded");
  screen.getByText(/^Then waited 5.*, as long as the service asked \(5/);
});

test("journal entries show the time since the start of the run", async () => {
  const events = [journal("step_started", 200), journal("step_completed", 250, { durationMs: 50 })];
  const { user } = renderStep(pureStep("call"), stepDetail({ events }));
  await user.click(await tab("Events"));
  await screen.findByText("+200 ms");
  screen.getByText("+250 ms");
});

test("the details of a reused step link to the original run", async () => {
  const step = pureStep("call", { type: "http_request", reused: true });
  const { user } = renderStep(step, stepDetail(), { resume_from_run_id: idOf(5) });
  await user.click(await tab("Details"));
  const link = screen.getByRole("link", { name: "the original run" });
  expect(link.getAttribute("href")).toContain(`/runs/${idOf(5)}`);
  screen.getByText("http request");
});

test("a step with payloads that fail to load offers a retry", async () => {
  const run = sampleRun({ steps: [pureStep("call")] });
  const { rows } = deriveTimeline({ run, definition: null, attempts: [], nowMs: 0 });
  const row = rows.find(({ key }) => key === "call");
  if (row === undefined) throw new Error("the run has no row of its step");
  const { user, server } = renderPage(<StepPanel row={row} run={run} isDeleted={false} actions={null} />, {
    prepare: (fake) => fake.refuse("get_run_step", { code: "INTERNAL_ERROR", message: "It did not work." }),
  });
  const alert = within(await screen.findByRole("alert"));
  alert.getByText("Couldn't load the output.");
  server.answer("get_run_step", stepDetail());
  await user.click(alert.getByRole("button", { name: "Try again" }));
  await screen.findByRole("region", { name: "output" });
});

test("a code step has a tab for the console of its last attempt", async () => {
  const events = [
    journal("step_started", 200),
    journal("step_started", 300, { attempt: 2, console: ["first"] }),
    journal("step_failed", 400, { attempt: 2, error: stepError(), console: ["second", "[warn] third"] }),
  ];
  const { user } = renderStep(pureStep("call", { type: "code", status: "failed" }), stepDetail({ events }));
  await user.click(await tab("Console"));
  const lines = within(await screen.findByRole("list", { name: "Console output" })).getAllByRole("listitem");
  expect(lines.map((line) => line.textContent)).toEqual(["second", "[warn] third"]);
  await expectAccessible();
});

test("code that wrote nothing says so", async () => {
  const events = [journal("step_started", 200), journal("step_completed", 400)];
  const { user } = renderStep(pureStep("call", { type: "code" }), stepDetail({ events }));
  await user.click(await tab("Console"));
  await screen.findByText("The code wrote nothing to its console.");
});
