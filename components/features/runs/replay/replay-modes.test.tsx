import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { ReplayMode, RunObject } from "#lib/contract/run/run";
import { eventually } from "#lib/support/eventually.fixture";
import { ReplayDialog } from "@/components/features/runs/replay/replay-dialog";
import { idOf } from "@/components/testing/page.fixture";
import { describedBy, expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { chainOf, executedGraph, pureStep, runError, sampleRun, stepError } from "@/components/testing/run.fixture";

const DEFINITION = chainOf(
  { id: "action_input", type: "action_input", name: "Input" },
  { id: "fetch", type: "transform", name: "Fetch" },
  { id: "send", type: "transform", name: "Send" },
);
const FAILED = sampleRun({
  status: "failed",
  output: null,
  error: runError({ step_id: "send" }),
  steps: [
    pureStep("action_input", { name: "Input", type: "action_input" }),
    pureStep("fetch", { name: "Fetch" }),
    pureStep("send", { name: "Send", status: "failed", error: stepError() }),
  ],
});

function renderReplay(run: RunObject, mode: ReplayMode, stepId: string | null = null) {
  const onClose = vi.fn();
  const page = renderPage(<ReplayDialog run={run} mode={mode} stepId={stepId} version="same" onClose={onClose} />, {
    prepare: (server) => {
      server.answer("get_run_graph", executedGraph({ definition: DEFINITION }));
      server.answer("replay_run", sampleRun({ run_id: idOf(2) }));
    },
  });
  return { ...page, onClose };
}

const mode = (name: RegExp) => screen.getByRole("radio", { name });
const modes = () => screen.getAllByRole("radio").map((radio) => radio.closest("label")?.textContent);

test("a failed run can resume where it stopped and reuse its completed steps", async () => {
  const { user, server, router } = renderReplay(FAILED, "resume");
  await expectFocus(mode(/^Resume where it stopped/));
  expect(modes()).toHaveLength(3);
  screen.getByText("Reuses 2 steps");
  screen.getByText("Input, Fetch");
  screen.getByText("Runs 1 step");
  await expectAccessible();
  await user.click(screen.getByRole("button", { name: "Replay" }));
  await eventually(() => expect(router.push).toHaveBeenCalledWith(`/runs/${idOf(2)}`));
  expect(server.sent("replay_run")).toEqual([{ run_id: idOf(1), mode: "resume" }]);
});

test("a successful run cannot resume", () => {
  renderReplay({ ...FAILED, status: "succeeded", error: null }, "resume");
  expect(screen.queryByRole("radio", { name: /^Resume where it stopped/ })).toBeNull();
  expect(mode(/^From the start/)).toHaveProperty("checked", true);
});

test("a run without steps cannot start from a step", () => {
  renderReplay({ ...FAILED, steps: [] }, "from_step");
  expect(screen.queryByRole("radio", { name: /^From a step/ })).toBeNull();
});

test("from the start, every step runs again", async () => {
  const { user } = renderReplay(FAILED, "resume");
  await user.click(mode(/^From the start/));
  screen.getByText("Reuses 0 steps");
  screen.getByText("Runs 3 steps");
  screen.getByRole("checkbox", { name: "Edit input" });
});

test("from a step, that step and those after it run again, starting with the failed one", async () => {
  const { user, server } = renderReplay(FAILED, "resume");
  await user.click(mode(/^From a step/));
  const select = screen.getByRole("combobox", { name: "Start from" });
  within(select).getByRole("option", { name: "Send", selected: true });
  expect(within(select).queryByRole("option", { name: "Input" })).toBeNull();
  await user.selectOptions(select, "Fetch");
  await screen.findByText("Runs 2 steps");
  screen.getByText("Fetch, Send");
  await user.click(screen.getByRole("button", { name: "Replay" }));
  await eventually(() =>
    expect(server.sent("replay_run")).toEqual([{ run_id: idOf(1), mode: "from_step", step_id: "fetch" }]),
  );
});

test("the selected step is the default start of a replay", () => {
  renderReplay(FAILED, "from_step", "fetch");
  screen.getByRole("option", { name: "Fetch", selected: true });
});

test("an edited input is sent, and redacted values keep their real ones", async () => {
  const run = { ...FAILED, input: { amount: 5, token: "[REDACTED]" } };
  const { user, server } = renderReplay(run, "from_start");
  await user.click(screen.getByRole("checkbox", { name: "Edit input" }));
  const input = await screen.findByRole("textbox", { name: "Input" });
  expect(describedBy(input)).toContain("keep their real values if you don't change them");
  await user.clear(input);
  await user.click(input);
  await user.paste('{"amount": 7}');
  await user.click(screen.getByRole("button", { name: "Replay" }));
  await eventually(() =>
    expect(server.sent("replay_run")).toMatchObject([{ mode: "from_start", input: { amount: 7 } }]),
  );
});

test("a refused replay shows the reason and stays open", async () => {
  const { user, server, router, onClose } = renderReplay(FAILED, "resume");
  server.refuse("replay_run", { code: "RATE_LIMIT_EXCEEDED", message: "The hour is used up." });
  await user.click(screen.getByRole("button", { name: "Replay" }));
  expect((await screen.findByRole("alert")).textContent).toContain("The hour is used up.");
  expect(router.push).not.toHaveBeenCalled();
  expect(onClose).not.toHaveBeenCalled();
});

test("Cancel closes the dialog without a replay", async () => {
  const { user, server, onClose } = renderReplay(FAILED, "resume");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(server.sent("replay_run")).toEqual([]);
});
