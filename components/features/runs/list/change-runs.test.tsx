import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { RunObject } from "#lib/contract/run/run";
import type { RunChange } from "#lib/contract/wire/web";
import { RunList } from "@/components/features/runs/list/run-list";
import { idOf, pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { runError, sampleRun } from "@/components/testing/run.fixture";

const FAILED = sampleRun({ run_id: idOf(1), status: "failed", output: null, error: runError() });
const SUCCEEDED = sampleRun({ run_id: idOf(2) });
const WAITING = sampleRun({
  run_id: idOf(3),
  status: "waiting_for_approval",
  output: null,
  completed_at: null,
  duration_ms: null,
});

function renderRuns(runs: RunObject[] = [FAILED, SUCCEEDED, WAITING]) {
  return renderPage(<RunList />, {
    address: "/runs",
    prepare: (server) => {
      server.answer("list_runs", pageOf(runs));
      server.answer("list_actions", pageOf([]));
      server.answer("list_workflows", pageOf([]));
      server.answer("list_saved_views", { data: [] });
    },
  });
}

function changed(changes: Pick<RunChange, "run_id" | "outcome"> & Partial<RunChange>): RunChange {
  return { new_run_id: null, code: null, error: null, ...changes };
}

const chooser = (n: number) => screen.findByRole("checkbox", { name: `Select run …0000000${n}` });
const bar = async () => within(await screen.findByRole("region", { name: "Selected runs" }));

test("selected runs offer their possible changes: replay the ended ones, cancel the open ones", async () => {
  const { user } = renderRuns();
  expect(screen.queryByRole("region", { name: "Selected runs" })).toBeNull();
  await user.click(await chooser(1));
  (await bar()).getByText("1 selected");
  (await bar()).getByRole("button", { name: "Replay 1…" });
  expect((await bar()).queryByRole("button", { name: /^Cancel/ })).toBeNull();
  await user.click(await chooser(3));
  (await bar()).getByText("2 selected");
  (await bar()).getByRole("button", { name: "Cancel 1…" });
  await expectAccessible();
});

test("the header checkbox selects every run of the page and deselects them again", async () => {
  const { user } = renderRuns();
  const all = await screen.findByRole("checkbox", { name: "Select all runs on this page" });
  await user.click(all);
  (await bar()).getByText("3 selected");
  await user.click(all);
  expect(screen.queryByRole("region", { name: "Selected runs" })).toBeNull();
});

test("X selects the focused row, and Clear selection deselects all", async () => {
  const { user } = renderRuns();
  const first = await screen.findByRole("link", { name: /^Failed: run/ });
  await user.keyboard("{ArrowDown}");
  await expectFocus(first);
  await user.keyboard("x");
  (await bar()).getByText("1 selected");
  await user.click((await bar()).getByRole("button", { name: "Clear selection" }));
  expect(screen.queryByRole("region", { name: "Selected runs" })).toBeNull();
});

test("a bulk replay says which runs it skips, and shows the new run of each", async () => {
  const { user, server } = renderRuns();
  server.answer("replay_runs", {
    data: [
      changed({ run_id: idOf(1), outcome: "replayed", new_run_id: idOf(11) }),
      changed({ run_id: idOf(2), outcome: "refused", code: "RATE_LIMIT_EXCEEDED", error: "The hour is used up." }),
    ],
  });
  await user.click(await screen.findByRole("checkbox", { name: "Select all runs on this page" }));
  await user.click((await bar()).getByRole("button", { name: "Replay 2…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Replay 2 runs?" }));
  dialog.getByText("1 of the selected hasn't ended and can't be replayed.");
  await user.click(dialog.getByRole("button", { name: "Replay 2 runs" }));
  const outcome = within(await screen.findByRole("dialog", { name: "1 replayed, 1 not replayed" }));
  expect(outcome.getByRole("link", { name: "…00000011" }).getAttribute("href")).toBe(`/runs/${idOf(11)}`);
  outcome.getByText("The hour is used up.");
  expect(server.sent("replay_runs")).toEqual([{ run_ids: [idOf(1), idOf(2)] }]);
  await expectAccessible();
  await user.click(outcome.getByRole("button", { name: "Done" }));
  expect(screen.queryByRole("region", { name: "Selected runs" })).toBeNull();
});

test("a bulk cancel says that ended runs do not change, and shows the result of each", async () => {
  const { user, server } = renderRuns([SUCCEEDED, WAITING]);
  server.answer("cancel_runs", { data: [changed({ run_id: idOf(3), outcome: "cancelled" })] });
  await user.click(await screen.findByRole("checkbox", { name: "Select all runs on this page" }));
  await user.click((await bar()).getByRole("button", { name: "Cancel 1…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Cancel 1 run?" }));
  dialog.getByText("1 of the selected has already ended and won't change.");
  await user.click(dialog.getByRole("button", { name: "Cancel 1 run" }));
  within(await screen.findByRole("dialog", { name: "1 cancelled" })).getByText("Cancelled");
  expect(server.sent("cancel_runs")).toEqual([{ run_ids: [idOf(3)] }]);
});

test("a run that ended before it could be cancelled is reported as such", async () => {
  const { user, server } = renderRuns([WAITING]);
  server.answer("cancel_runs", { data: [changed({ run_id: idOf(3), outcome: "unchanged" })] });
  await user.click(await chooser(3));
  await user.click((await bar()).getByRole("button", { name: "Cancel 1…" }));
  await user.click(await screen.findByRole("button", { name: "Cancel 1 run" }));
  within(await screen.findByRole("dialog", { name: "0 cancelled, 1 not cancelled" })).getByText("Already ended");
});

test("closing the dialog keeps the selection and changes nothing", async () => {
  const { user, server } = renderRuns();
  await user.click(await chooser(3));
  await user.click((await bar()).getByRole("button", { name: "Cancel 1…" }));
  await user.click(await screen.findByRole("button", { name: "Keep running" }));
  (await bar()).getByText("1 selected");
  expect(server.sent("cancel_runs")).toEqual([]);
});

test("a bulk change that is refused as a whole shows the reason and can be sent again", async () => {
  const { user, server } = renderRuns();
  server.refuse("replay_runs", { code: "RATE_LIMIT_EXCEEDED", message: "Too many requests." });
  await user.click(await chooser(1));
  await user.click((await bar()).getByRole("button", { name: "Replay 1…" }));
  const send = await screen.findByRole("button", { name: "Replay 1 run" });
  await user.click(send);
  expect((await screen.findByRole("alert")).textContent).toBe("Too many requests.");
  server.answer("replay_runs", {
    data: [changed({ run_id: idOf(1), outcome: "replayed", new_run_id: idOf(11) })],
  });
  await user.click(send);
  await screen.findByRole("dialog", { name: "1 replayed" });
});

test("runs are replayed on the published version if that is checked", async () => {
  const { user, server } = renderRuns();
  server.answer("replay_runs", { data: [changed({ run_id: idOf(1), outcome: "replayed", new_run_id: idOf(11) })] });
  await user.click(await chooser(1));
  await user.click((await bar()).getByRole("button", { name: "Replay 1…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Replay 1 run?" }));
  await user.click(dialog.getByRole("checkbox", { name: "Use the published version" }));
  await user.click(dialog.getByRole("button", { name: "Replay 1 run" }));
  await screen.findByRole("button", { name: "Done" });
  expect(server.sent("replay_runs")).toEqual([{ run_ids: [idOf(1)], version: "latest" }]);
});
