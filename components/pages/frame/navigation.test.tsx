import { screen, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { AppShell } from "@/components/pages/frame/app-shell";
import { NAV_ITEMS, WORKSPACE_ITEMS } from "@/components/shell/nav-items";
import { NAV_COOKIE, type NavState, navStateOf } from "@/components/shell/nav-state";
import { pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { watchLeaving } from "@/components/testing/watch-leaving.fixture";
import { PageHeader } from "@/components/ui/lists/page-header";

const ITEMS = [...NAV_ITEMS, ...WORKSPACE_ITEMS];

function renderShell({ address = "/workflows", role = "owner" as Role, nav = "wide" as NavState } = {}) {
  return renderPage(
    <AppShell nav={nav}>
      <PageHeader title="A page" />
      <input aria-label="A field" />
    </AppShell>,
    {
      address,
      session: { role },
      prepare: (server) => {
        server.answer("count_approvals", { pending: 0 });
        server.answer("list_audit_events", pageOf([]));
      },
    },
  );
}

const linksOf = (element: HTMLElement) =>
  within(element)
    .getAllByRole("link")
    .map((link) => link.getAttribute("href"));

test("the navigation leads to every page, and its letters are all different", () => {
  renderShell();
  expect(linksOf(screen.getByRole("navigation", { name: "Main" }))).toEqual(ITEMS.map(({ href }) => href));
  expect(new Set(ITEMS.map(({ key }) => key)).size).toBe(ITEMS.length);
});

test("a viewer gets no entry that needs another role, and its letter does nothing", async () => {
  const { user, router } = renderShell({ role: "viewer" });
  const open = ITEMS.filter(({ role }) => role === undefined).map(({ href }) => href);
  expect(open).not.toContain("/keys");
  expect(linksOf(screen.getByRole("navigation", { name: "Main" }))).toEqual(open);
  await user.keyboard("gk");
  expect(router.push).not.toHaveBeenCalled();
});

test.each(ITEMS)("G and then $key opens $href", async ({ href, key }) => {
  const { user, router } = renderShell();
  await user.keyboard(`g${key}`);
  expect(router.push).toHaveBeenCalledExactlyOnceWith(href);
});

test("exactly one entry is marked on a page below it", () => {
  renderShell({ address: "/connections/connectors/orders" });
  const current = screen.getAllByRole("link").filter((link) => link.getAttribute("aria-current") === "page");
  expect(current.map((link) => link.getAttribute("href"))).toEqual(["/connections"]);
});

test("an address that only starts like an entry does not mark it", () => {
  renderShell({ address: "/runs-archive" });
  expect(screen.getAllByRole("link").filter((link) => link.hasAttribute("aria-current"))).toEqual([]);
});

test("a letter long after G is a plain letter", async () => {
  const { user, router } = renderShell();
  const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
  onTestFinished(() => now.mockRestore());
  await user.keyboard("g");
  now.mockReturnValue(4_000);
  await user.keyboard("k");
  expect(router.push).not.toHaveBeenCalled();
});

test("G in a field is typed into the field", async () => {
  const { user, router } = renderShell();
  await user.type(screen.getByRole("textbox", { name: "A field" }), "gk");
  expect(router.push).not.toHaveBeenCalled();
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "A field" }).value).toBe("gk");
});

test("the first stop of the Tab key skips the navigation", async () => {
  const { user } = renderShell();
  await user.tab();
  const link = screen.getByRole("link", { name: /^Skip/ });
  await expectFocus(link);
  expect(document.querySelector(link.getAttribute("href") ?? "none")?.tagName).toBe("MAIN");
});

test("on a narrow screen the navigation opens as a dialog and gives the focus back", async () => {
  const { user } = renderShell();
  const button = screen.getByRole("button", { name: /navigation/i });
  await user.click(button);
  const drawer = await screen.findByRole("dialog", { name: /navigation/i });
  expect(linksOf(drawer)).toEqual(ITEMS.map(({ href }) => href));
  await expectAccessible(drawer);
  await user.keyboard("{Escape}");
  await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
  await expectFocus(button);
});

test("a link in the drawer closes it", async () => {
  const { user } = renderShell();
  await user.click(screen.getByRole("button", { name: /navigation/i }));
  const drawer = within(await screen.findByRole("dialog"));
  const link = drawer.getByRole("link", { name: "Runs" });
  link.addEventListener("click", (event) => event.preventDefault());
  await user.click(link);
  await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("without waiting approvals the navigation shows no number", async () => {
  const { server } = renderShell();
  await eventually(() => expect(server.sent("count_approvals")).not.toEqual([]));
  expect(screen.getByRole("link", { name: "Approvals" }).textContent).toBe("Approvals");
});

test("the user menu shows the user's name and role, and links to the account", async () => {
  const { user, router } = renderShell({ role: "approver" });
  await user.click(screen.getByRole("button", { name: /Ann/ }));
  const menu = within(await screen.findByRole("menu"));
  menu.getByText(/Ann, approver/i);
  await user.click(menu.getByRole("menuitem", { name: /account/i }));
  expect(router.push).toHaveBeenCalledExactlyOnceWith("/settings/account");
});

test("dismissed first steps can be shown again", async () => {
  const { user, router } = renderShell();
  await user.click(screen.getByRole("button", { name: /Ann/ }));
  await user.click(await screen.findByRole("menuitem", { name: /first steps/i }));
  expect(router.push).toHaveBeenCalledExactlyOnceWith("/workflows");
  expect(Object.values({ ...localStorage }).join()).toContain("asked");
});

test("another workspace opens with a full load, so that nothing of the previous one stays", async () => {
  const leave = watchLeaving();
  const { user, server } = renderShell();
  const other = "33333333-3333-4333-8333-333333333333";
  server.answer("list_workspaces", {
    data: [{ workspace_id: other, slug: "other", name: "Other", plan: "free", role: "viewer" }],
  });
  server.answerPath("/api/workspace", 200, {});
  await user.click(screen.getByRole("button", { name: /Acme/ }));
  await user.click(await screen.findByRole("menuitemradio", { name: "Other" }));
  await eventually(() => expect(leave).toHaveBeenCalledExactlyOnceWith("/workflows"));
  expect(server.sentTo("/api/workspace")).toEqual([{ workspace_id: other }]);
});

test("the open workspace is not opened again", async () => {
  const { user, server } = renderShell();
  server.refuse("list_workspaces", { code: "INTERNAL_ERROR", message: "It did not work." });
  await user.click(screen.getByRole("button", { name: /Acme/ }));
  await screen.findByText(/could(n't| not) be loaded/);
  await user.click(screen.getByRole("menuitemradio", { name: "Acme" }));
  expect(server.sentTo("/api/workspace")).toEqual([]);
});

test("a new workspace opens at once", async () => {
  const leave = watchLeaving();
  const { user, server } = renderShell();
  const created = "44444444-4444-4444-8444-444444444444";
  server.answer("list_workspaces", { data: [] });
  server.answer("create_workspace", {
    workspace_id: created,
    slug: "new",
    name: "New",
    plan: "free",
    role: "owner",
  });
  server.answerPath("/api/workspace", 200, {});
  await user.click(screen.getByRole("button", { name: /Acme/ }));
  await user.click(await screen.findByRole("menuitem", { name: /^New workspace/ }));
  await user.type(await screen.findByRole("textbox", { name: "Name" }), "New{Enter}");
  await eventually(() => expect(leave).toHaveBeenCalledExactlyOnceWith("/workflows"));
  expect(server.sentTo("/api/workspace")).toEqual([{ workspace_id: created }]);
});

const navState = () => document.querySelector("[data-nav]")?.getAttribute("data-nav");
const rememberedNav = () =>
  navStateOf(
    document.cookie
      .split("; ")
      .find((cookie) => cookie.startsWith(`${NAV_COOKIE}=`))
      ?.split("=")[1],
  );

test("a click and Ctrl+B collapse and expand the sidebar, and the cookie remembers it", async () => {
  const { user } = renderShell();
  await user.click(screen.getByRole("button", { name: "Collapse the sidebar" }));
  expect([navState(), rememberedNav()]).toEqual(["collapsed", "collapsed"]);
  await user.keyboard("{Control>}b{/Control}");
  expect([navState(), rememberedNav()]).toEqual(["wide", "wide"]);
  screen.getByRole("button", { name: "Collapse the sidebar" });
});

test("a collapsed sidebar keeps the names of its links and shows them on focus", async () => {
  const { user } = renderShell({ nav: "collapsed" });
  expect(linksOf(screen.getByRole("navigation", { name: "Main" }))).toEqual(ITEMS.map(({ href }) => href));
  await user.tab();
  while (document.activeElement?.getAttribute("href") !== "/runs") await user.tab();
  await screen.findByText("Runs", { selector: "[role=tooltip] span" });
  await expectAccessible(screen.getByRole("navigation", { name: "Main" }));
});

test("Ctrl+B in a dialog leaves the sidebar as it is", async () => {
  const { user, server } = renderShell();
  for (const list of ["list_workflows", "list_actions", "list_runs"] as const) server.answer(list, pageOf([]));
  await user.keyboard("{Control>}k{/Control}");
  await screen.findByRole("dialog");
  await user.keyboard("{Control>}b{/Control}");
  expect(navState()).toBe("wide");
});
