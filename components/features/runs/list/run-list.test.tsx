import { act, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { RunObject } from "#lib/contract/run/run";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { RunList } from "@/components/features/runs/list/run-list";
import { sampleAction } from "@/components/testing/action.fixture";
import { idOf, pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { runError, sampleRun } from "@/components/testing/run.fixture";

const SUCCEEDED = sampleRun({ run_id: idOf(1) });
const FAILED = sampleRun({ run_id: idOf(2), status: "failed", output: null, error: runError() });
const RUNNING = sampleRun({
  run_id: idOf(3),
  status: "running",
  output: null,
  completed_at: null,
  duration_ms: null,
});

interface ListOptions {
  address?: string;
  role?: Role;
}

function renderRuns(runs: RunObject[], { address = "/runs", role = "owner" }: ListOptions = {}) {
  return renderPage(<RunList />, {
    address,
    session: { role },
    prepare: (server) => {
      server.answer("list_runs", ({ cursor }) => pageOf(cursor === undefined ? runs : [RUNNING]));
      server.answer("list_actions", pageOf([sampleAction()]));
      server.answer("list_workflows", pageOf([]));
      server.answer("list_saved_views", { data: [] });
    },
  });
}

const table = () => screen.findByRole("table", { name: "Runs" });
const rowLinks = async () => within(await table()).getAllByRole("link");

test("each row shows how the run ended, what ran and why it failed, and links to the run", async () => {
  renderRuns([SUCCEEDED, FAILED]);
  const [first, second] = await rowLinks();
  expect(first?.getAttribute("aria-label")).toBe("Succeeded: run …00000001 of refund");
  expect(first?.getAttribute("href")).toBe(`/runs/${idOf(1)}`);
  expect(second?.getAttribute("aria-label")).toBe("Failed: run …00000002 of refund");
  const row = within((await table()).querySelectorAll<HTMLElement>("tbody tr")[1] ?? document.body);
  row.getByText("amount must be a number");
  row.getByText("API or MCP");
  row.getByText("v1");
  row.getByText("900 ms");
  await expectAccessible();
});

test("a workspace without runs offers an action to call instead of filters", async () => {
  renderRuns([]);
  await screen.findByText("No runs yet");
  expect(screen.getByRole("link", { name: "Choose an action to call" }).getAttribute("href")).toBe("/actions");
  expect(screen.queryByRole("button", { name: "Status" })).toBeNull();
  await expectAccessible();
});

test("a list that fails to load offers a retry", async () => {
  const { user, server } = renderPage(<RunList />, {
    prepare: (fake) => {
      fake.refuse("list_runs", { code: "INTERNAL_ERROR", message: "It did not work." });
      fake.answer("list_actions", pageOf([]));
      fake.answer("list_workflows", pageOf([]));
      fake.answer("list_saved_views", { data: [] });
    },
  });
  const alert = within(await screen.findByRole("alert"));
  alert.getByText("Couldn't load the runs.");
  server.answer("list_runs", pageOf([SUCCEEDED]));
  await user.click(alert.getByRole("button", { name: "Try again" }));
  expect(await rowLinks()).toHaveLength(1);
});

test("a page has buttons to the next page and back to the previous one", async () => {
  const { user, server } = renderPage(<RunList />, {
    prepare: (fake) => {
      fake.answer("list_runs", ({ cursor }) =>
        cursor === undefined ? pageOf([SUCCEEDED], "second") : pageOf([FAILED]),
      );
      fake.answer("list_actions", pageOf([]));
      fake.answer("list_workflows", pageOf([]));
      fake.answer("list_saved_views", { data: [] });
    },
  });
  const pager = within(await screen.findByRole("navigation", { name: "Pages of runs" }));
  expect(pager.getByRole("button", { name: "Previous" })).toHaveProperty("disabled", true);
  await user.click(pager.getByRole("button", { name: "Next" }));
  await screen.findByRole("link", { name: /^Failed: run/ });
  expect(server.sent("list_runs").at(-1)).toMatchObject({ cursor: "second" });
  const next = screen.getByRole("button", { name: "Next" });
  expect(next).toHaveProperty("disabled", true);
  await user.click(screen.getByRole("button", { name: "Previous" }));
  await screen.findByRole("link", { name: /^Succeeded: run/ });
});

test("J and K turn the pages", async () => {
  const { user } = renderPage(<RunList />, {
    prepare: (fake) => {
      fake.answer("list_runs", ({ cursor }) =>
        cursor === undefined ? pageOf([SUCCEEDED], "second") : pageOf([FAILED]),
      );
      fake.answer("list_actions", pageOf([]));
      fake.answer("list_workflows", pageOf([]));
      fake.answer("list_saved_views", { data: [] });
    },
  });
  await screen.findByRole("link", { name: /^Succeeded: run/ });
  await user.keyboard("j");
  await screen.findByRole("link", { name: /^Failed: run/ });
  await user.keyboard("k");
  await screen.findByRole("link", { name: /^Succeeded: run/ });
});

test("arrow keys move the focus between rows and stop at the last", async () => {
  const { user } = renderRuns([SUCCEEDED, FAILED]);
  const [first, second] = await rowLinks();
  if (first === undefined || second === undefined) throw new Error("two rows are expected");
  await user.keyboard("{ArrowDown}");
  await expectFocus(first);
  await user.keyboard("{ArrowDown}{ArrowDown}");
  await expectFocus(second);
  await user.keyboard("{ArrowUp}");
  await expectFocus(first);
});

test("arrow keys still enter the table after a dialog has returned the focus to the page's content", async () => {
  const { user } = renderRuns([sampleRun()]);
  await screen.findByRole("table", { name: "Runs" });
  act(() => document.getElementById("content")?.focus());
  await user.keyboard("{ArrowDown}");
  expect(document.activeElement?.getAttribute("data-run")).toBe(sampleRun().run_id);
});

test("a viewer can see the runs but select none", async () => {
  renderRuns([SUCCEEDED], { role: "viewer" });
  await table();
  expect(screen.queryByRole("checkbox", { name: /^Choose/ })).toBeNull();
});

test("runs that arrive while the list is open are announced and shown on request", async () => {
  const { user, server } = renderRuns([RUNNING]);
  await table();
  server.answer("list_runs", pageOf([SUCCEEDED, { ...RUNNING, status: "failed" }]));
  await user.click(await screen.findByRole("checkbox", { name: "Select run …00000003" }));
  server.answer("cancel_runs", {
    data: [{ run_id: RUNNING.run_id, outcome: "unchanged", new_run_id: null, code: null, error: null }],
  });
  await user.click(screen.getByRole("button", { name: "Cancel 1…" }));
  const dialog = await screen.findByRole("dialog", { name: "Cancel 1 run?" });
  await user.click(within(dialog).getByRole("button", { name: "Cancel 1 run" }));
  await user.click(await screen.findByRole("button", { name: "Done" }));
  const pill = await screen.findByRole("button", { name: "1 new run" });
  expect((await rowLinks()).map((link) => link.getAttribute("aria-label"))).toEqual([
    "Failed: run …00000003 of refund",
  ]);
  await user.click(pill);
  await eventually(async () => expect(await rowLinks()).toHaveLength(2));
});
