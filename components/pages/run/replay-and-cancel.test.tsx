import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { renderRun } from "@/components/pages/run/render-run.fixture";
import { idOf, pageOf } from "@/components/testing/page.fixture";
import { FAILED_RUN, sampleRun } from "@/components/testing/run.fixture";

test("a replayed run and its replay link to each other", async () => {
  const { server } = renderRun(sampleRun({ resume_from_run_id: idOf(8) }));
  server.answer("list_runs", pageOf([sampleRun({ run_id: idOf(9), status: "succeeded" })]));
  const lineage = within(await screen.findByRole("navigation", { name: "Replays" }));
  expect(lineage.getByRole("link", { name: "…00000008" }).getAttribute("href")).toBe(`/runs/${idOf(8)}`);
  await lineage.findByRole("link", { name: /^Succeeded/ });
});

test("R opens the replay of a run that ended, and a failed run resumes where it stopped", async () => {
  const { user } = renderRun(FAILED_RUN);
  await screen.findByRole("button", { name: /^Replay…/ });
  await user.keyboard("r");
  const dialog = within(await screen.findByRole("dialog", { name: "Replay this run" }));
  expect(dialog.getByRole<HTMLInputElement>("radio", { name: /^Resume where it stopped/ }).checked).toBe(true);
  expect(window.location.search).toBe("?replay=resume");
  const plan = dialog.getByRole("region", { name: "What this replay does" });
  expect(plan.textContent).toContain("Reuses 1 stepCharge");
  expect(plan.textContent).toContain("Runs 1 stepRefund");
});

test("a replay from the start warns about successful calls that are made again", async () => {
  const { user } = renderRun(FAILED_RUN, { query: "?replay=resume" });
  const dialog = within(await screen.findByRole("dialog", { name: "Replay this run" }));
  await user.click(dialog.getByRole("radio", { name: /^From the start/ }));
  dialog.getByText("These successful calls will be made again: Charge.");
});

test("a replay from a step is sent with that step, and the new run is shown", async () => {
  const { user, server, router } = renderRun(FAILED_RUN, { query: "?step=charge&replay=from_step" });
  const dialog = within(await screen.findByRole("dialog", { name: "Replay this run" }));
  expect(dialog.getByRole<HTMLSelectElement>("combobox", { name: "Start from" }).value).toBe("charge");
  server.answer("replay_run", sampleRun({ run_id: idOf(9) }));
  await user.click(dialog.getByRole("button", { name: "Replay" }));
  await eventually(() => expect(router.push).toHaveBeenCalledWith(`/runs/${idOf(9)}`));
  expect(server.sent("replay_run")).toEqual([{ run_id: idOf(1), mode: "from_step", step_id: "charge" }]);
});

test("a viewer sees why a run cannot be replayed, and a link to the dialog opens nothing", async () => {
  const { user } = renderRun(FAILED_RUN, { role: "viewer", query: "?replay=resume" });
  const replay = await screen.findByRole("button", { name: /^Replay…/ });
  expect(replay.getAttribute("aria-disabled")).toBe("true");
  await user.click(replay);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.queryByRole("button", { name: "Cancel run" })).toBeNull();
});

test("a run in progress is canceled once, after a confirmation", async () => {
  const running = sampleRun({ status: "running", completed_at: null, duration_ms: null });
  const { user, server } = renderRun(running);
  await user.click(await screen.findByRole("button", { name: "Cancel run" }));
  const question = within(await screen.findByRole("alertdialog", { name: "Cancel this run?" }));
  const cancelled = sampleRun({ status: "cancelled" });
  server.answer("cancel_run", cancelled);
  server.answer("get_run_status", cancelled);
  await user.click(question.getByRole("button", { name: "Cancel run" }));
  await screen.findByText("Run cancelled.");
  expect(server.sent("cancel_run")).toEqual([{ run_id: idOf(1) }]);
});
