import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { AppShell } from "@/components/pages/frame/app-shell";
import { idOf, pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { callableWorkflow } from "@/components/testing/workflow.fixture";

function renderShell(pending = 0, address = "/runs/7") {
  return renderPage(
    <AppShell>
      <h1>A page</h1>
    </AppShell>,
    {
      address,
      prepare: (server) => {
        server.answer("count_approvals", { pending });
        server.answer("list_audit_events", pageOf([]));
      },
    },
  );
}

const nav = () => within(screen.getByRole("navigation", { name: "Main" }));

test("the navigation marks the open page and pages below it, and counts waiting approvals", async () => {
  renderShell(120);
  expect(nav().getByRole("link", { name: "Runs" }).getAttribute("aria-current")).toBe("page");
  expect(nav().getByRole("link", { name: "Actions" }).getAttribute("aria-current")).toBeNull();
  const badge = await nav().findByText(/99\+/);
  expect(badge.closest("a")?.textContent).toBe("Approvals99+ waiting");
});

test("G and a letter lead to a page; the letter alone does not", async () => {
  const { user, router } = renderShell();
  await user.keyboard("k");
  expect(router.push).not.toHaveBeenCalled();
  await user.keyboard("gk");
  expect(router.push).toHaveBeenCalledExactlyOnceWith("/keys");
});

test("the workspace menu lists the user's workspaces, and says so after the user left one", async () => {
  const { user, server } = renderShell();
  server.answer("list_workspaces", {
    data: [
      { workspace_id: "22222222-2222-4222-8222-222222222222", slug: "acme", name: "Acme", plan: "free", role: "owner" },
      { workspace_id: idOf(2), slug: "other", name: "Other", plan: "free", role: "viewer" },
    ],
  });
  server.answerPath("/api/workspace", 403, { code: "FORBIDDEN", error: "Not a member." });
  await user.click(screen.getByRole("button", { name: /Workspace Acme/ }));
  const other = await screen.findByRole("menuitemradio", { name: "Other" });
  expect(screen.getByRole("menuitemradio", { name: "Acme" }).getAttribute("aria-checked")).toBe("true");
  await user.click(other);
  await screen.findByText("You're no longer a member of this workspace.");
  expect(server.sentTo("/api/workspace")).toEqual([{ workspace_id: idOf(2) }]);
});

test("single-key shortcuts can be switched off in the user menu", async () => {
  const { user, router } = renderShell();
  await user.click(screen.getByRole("button", { name: /Ann/ }));
  await user.click(await screen.findByRole("menuitemcheckbox", { name: "Single-key shortcuts" }));
  await user.keyboard("{Escape}");
  await eventually(() => expect(screen.queryByRole("menu")).toBeNull());
  await user.keyboard("gk");
  expect(router.push).not.toHaveBeenCalled();
});

test("an offline page says so until the network is back", async () => {
  const { server } = renderShell();
  server.goOffline();
  await screen.findByText(/^You're offline\./);
  server.goOnline();
  await eventually(() => expect(screen.queryByText(/^You're offline\./)).toBeNull());
});

test("the palette finds pages, workflows and actions by name and opens the chosen one with Enter", async () => {
  const { user, server, router } = renderShell();
  server.answer("list_workflows", pageOf([callableWorkflow()]));
  server.answer("list_actions", pageOf([]));
  server.answer("list_runs", pageOf([]));
  await user.keyboard("{Control>}k{/Control}");
  const search = await screen.findByRole("combobox", { name: /^Search commands/ });
  await user.type(search, "refunds");
  const option = await screen.findByRole("option", { name: /^Refunds/ });
  await eventually(() => expect(search.getAttribute("aria-activedescendant")).toBe(option.id));
  await expectAccessible(screen.getByRole("dialog"));
  await user.keyboard("{Enter}");
  expect(router.push).toHaveBeenCalledExactlyOnceWith(`/workflows/${idOf(1)}`);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("the palette opens a run by its id and says when there are no results", async () => {
  const { user, server, router } = renderShell();
  server.answer("list_workflows", pageOf([]));
  server.answer("list_actions", pageOf([]));
  server.answer("list_runs", pageOf([]));
  await user.keyboard("{Control>}k{/Control}");
  const search = await screen.findByRole("combobox");
  await user.type(search, "zzzz");
  await screen.findByText("No results for “zzzz”.");
  await user.clear(search);
  await user.type(search, idOf(9));
  await user.click(await screen.findByRole("option", { name: `Open run ${idOf(9)}` }));
  expect(router.push).toHaveBeenCalledExactlyOnceWith(`/runs/${idOf(9)}`);
});
