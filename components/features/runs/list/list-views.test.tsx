import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { SavedView } from "#lib/contract/run/run-list";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { setReader } from "#lib/support/format/reader";
import { RunList } from "@/components/features/runs/list/run-list";
import type { FakeServer } from "@/components/testing/fake-server.fixture";
import { keyList } from "@/components/testing/key.fixture";
import { idOf, pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { sampleRun } from "@/components/testing/run.fixture";

const RUN = sampleRun({ run_id: idOf(1), input: { to: "[REDACTED_EMAIL]" }, created_at: "2026-01-05T09:12:44.120Z" });
const FAILED_TODAY: SavedView = {
  view_id: idOf(5),
  name: "Failed today",
  is_shared: false,
  settings: { filters: { status: "failed", range: "24h" }, columns: ["caller", "created"], order: "asc" },
};
const OURS: SavedView = { ...FAILED_TODAY, view_id: idOf(6), name: "Webhooks", is_shared: true };

interface Options {
  address?: string;
  views?: SavedView[];
  role?: Role;
  prepare?: (server: FakeServer) => void;
}

function renderList({ address = "/runs", views = [], role = "owner", prepare }: Options = {}) {
  return renderPage(<RunList />, {
    address,
    session: { role },
    prepare: (server) => {
      server.answer("list_runs", pageOf([RUN]));
      server.answer("list_actions", pageOf([]));
      server.answer("list_workflows", pageOf([]));
      server.answer("list_keys", keyList([]));
      server.answer("list_saved_views", { data: views });
      server.answer("list_run_callers", {
        data: [{ run_id: RUN.run_id, kind: "key", name: "Support bot", prefix: "svc_abcd" }],
      });
      prepare?.(server);
    },
  });
}

const heads = async () =>
  within(await screen.findByRole("table", { name: "Runs" }))
    .getAllByRole("columnheader")
    .map((head) => head.textContent);

beforeEach(() => {
  localStorage.clear();
  return () => setReader(null);
});

test("the columns that a person chose are shown and remembered, and callers are asked for only then, all at once", async () => {
  const { user, server, unmount } = renderList();
  expect(await heads()).not.toContain("Caller");
  expect(server.sent("list_run_callers")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Display" }));
  await user.click(await screen.findByRole("menuitemcheckbox", { name: "Caller" }));
  await user.click(screen.getByRole("menuitemcheckbox", { name: "Input" }));
  await user.click(screen.getByRole("menuitemcheckbox", { name: "Release" }));
  await user.keyboard("{Escape}");
  await screen.findByText("Support bot");
  screen.getByText('to: "[REDACTED_EMAIL]"');
  expect(server.sent("list_run_callers")).toEqual([{ run_ids: [RUN.run_id] }]);
  await expectAccessible();
  unmount();
  renderList();
  const remembered = await heads();
  expect(remembered).toEqual(expect.arrayContaining(["Caller", "Input"]));
  expect(remembered).not.toContain("Release");
});

test("times can be shown exactly, in the reader's zone or in UTC, and rows can be dense", async () => {
  setReader({ locale: "en-US", timeZone: "Asia/Tokyo" });
  const { user } = renderList();
  await heads();
  await user.click(screen.getByRole("button", { name: "Display" }));
  await user.click(await screen.findByRole("menuitemradio", { name: "UTC" }));
  expect(screen.getByText(/9:12:44 AM UTC/).getAttribute("datetime")).toBe(RUN.created_at);
  await user.click(screen.getByRole("menuitemradio", { name: "Local time" }));
  screen.getByText(/6:12:44 PM GMT\+9/);
  await user.click(screen.getByRole("menuitemradio", { name: "Compact" }));
  expect(JSON.parse(localStorage.getItem("signalbox.run-list") ?? "")).toMatchObject({
    times: "local",
    density: "compact",
  });
});

test("a custom range is read in UTC once times are shown in UTC", async () => {
  localStorage.setItem("signalbox.run-list", JSON.stringify({ times: "utc" }));
  renderList({ address: "/runs?range=custom&after=2026-01-05T09:00:00.000Z" });
  await heads();
  expect(screen.getByLabelText("From")).toHaveProperty("value", "2026-01-05T09:00");
});

test("the order is part of the address, and the oldest runs come first on request", async () => {
  const { user, server } = renderList();
  await heads();
  await user.click(screen.getByRole("button", { name: "Display" }));
  await user.click(await screen.findByRole("menuitemradio", { name: "Oldest first" }));
  await eventually(() => expect(server.sent("list_runs").at(-1)).toMatchObject({ order: "asc" }));
  expect(window.location.search).toBe("?order=asc");
});

test("a saved view sets the filters, columns and order that it keeps, and the button names it", async () => {
  const { user, server } = renderList({ address: "/runs?source=webhook", views: [FAILED_TODAY, OURS] });
  await heads();
  await user.click(screen.getByRole("button", { name: "Views" }));
  await screen.findByText("Workspace views");
  await user.click(screen.getByRole("menuitem", { name: "Failed today" }));
  await screen.findByRole("button", { name: "View: Failed today" });
  expect((await heads()).slice(1)).toEqual(["Status", "Action", "Caller", "Created"]);
  expect(server.sent("list_runs").at(-1)).toMatchObject({ status: "failed", order: "asc" });
  expect(server.sent("list_runs").at(-1)).not.toHaveProperty("source");
});

test("what the page shows is saved under a name, for the person or for the workspace", async () => {
  const { user, server } = renderList({
    address: "/runs?status=failed",
    prepare: (fake) => fake.answer("create_saved_view", FAILED_TODAY),
  });
  await heads();
  await user.click(screen.getByRole("button", { name: "Views" }));
  await user.click(await screen.findByRole("menuitem", { name: "Save this view…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Save this view" }));
  await user.click(dialog.getByRole("button", { name: "Save view" }));
  await dialog.findByText(/Enter a name/);
  await user.type(dialog.getByRole("textbox", { name: "Name" }), "All failed");
  await user.click(dialog.getByRole("checkbox", { name: "Share with the workspace" }));
  await expectAccessible();
  await user.click(dialog.getByRole("button", { name: "Save view" }));
  await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(server.sent("create_saved_view")).toEqual([
    {
      name: "All failed",
      is_shared: true,
      settings: {
        filters: { status: "failed" },
        columns: ["run", "source", "release", "duration", "created"],
        order: "desc",
      },
    },
  ]);
});

test("a viewer changes their own views only", async () => {
  const { user, server } = renderList({
    views: [FAILED_TODAY, OURS],
    role: "viewer",
    prepare: (fake) => {
      fake.answer("update_saved_view", FAILED_TODAY);
      fake.answer("delete_saved_view", {});
    },
  });
  await heads();
  await user.click(screen.getByRole("button", { name: "Views" }));
  await user.click(await screen.findByRole("menuitem", { name: "Manage views…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Saved views" }));
  dialog.getByText("Webhooks");
  expect(dialog.queryByRole("button", { name: "Delete Webhooks" })).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Rename Failed today" }));
  const name = await dialog.findByRole("textbox", { name: "New name of Failed today" });
  await user.clear(name);
  await user.type(name, "Failed");
  await user.click(dialog.getByRole("button", { name: "Rename" }));
  await user.click(await dialog.findByRole("button", { name: "Replace with this page: Failed today" }));
  await user.click(dialog.getByRole("button", { name: "Delete Failed today" }));
  await eventually(() => expect(server.sent("delete_saved_view")).toEqual([{ view_id: idOf(5) }]));
  expect(server.sent("update_saved_view")).toMatchObject([
    { view_id: idOf(5), name: "Failed" },
    { view_id: idOf(5), settings: { filters: {}, order: "desc" } },
  ]);
});

test("errors are grouped with the filters of the list, and a group opens its runs", async () => {
  const { user, server } = renderList({
    address: "/runs?source=webhook&error=answered",
    prepare: (fake) =>
      fake.answer("list_error_groups", {
        data: [
          {
            error_group: idOf(9),
            runs: 14,
            code: "UPSTREAM_ERROR",
            message: "api.example.com answered 500",
            step_name: "Call",
            workflow_id: idOf(7),
            workflow_name: "Invoices",
            first_at: RUN.created_at,
            last_at: RUN.created_at,
            last_run_id: RUN.run_id,
          },
        ],
        is_partial: true,
      }),
  });
  await heads();
  await user.click(screen.getByRole("button", { name: "Group errors" }));
  const group = await screen.findByRole("button", { name: "14 times: api.example.com answered 500" });
  expect(server.sent("list_error_groups")).toEqual([{ source: "webhook" }]);
  screen.getByText(/Counts the newest 5,000 errors/);
  await expectAccessible();
  await user.click(group);
  await heads();
  expect(server.sent("list_runs").at(-1)).toMatchObject({ source: "webhook", error_group: idOf(9) });
  expect(window.location.search).toBe(`?source=webhook&group=${idOf(9)}`);
});
