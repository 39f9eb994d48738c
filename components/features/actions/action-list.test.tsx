import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ActionActivity, ActionObject } from "#lib/contract/action/action";
import { eventually } from "#lib/support/eventually.fixture";
import { ActionList } from "@/components/features/actions/action-list";
import { sampleAction } from "@/components/testing/action.fixture";
import { pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";

function activityOf(changes: Partial<ActionActivity> = {}): ActionActivity {
  return { slug: "refund", calls: 0, has_more: false, error_rate: null, p95_ms: null, ...changes };
}

interface Options {
  address?: string;
  activity?: ActionActivity[];
}

function renderActions(actions: ActionObject[], { address = "/actions", activity = [] }: Options = {}) {
  return renderPage(<ActionList />, {
    address,
    prepare: (server) => {
      server.answer("list_actions", pageOf(actions));
      server.answer("list_action_activity", { days: 7, data: activity });
    },
  });
}

const rowOf = async (slug: string) => {
  const link = await screen.findByRole("link", { name: slug });
  return within(link.closest("tr") ?? document.body);
};
const lastList = ({ server }: ReturnType<typeof renderActions>) => server.sent("list_actions").at(-1);

test("an action shows its workflow, its status and its release, and links to its page", async () => {
  renderActions([sampleAction({ status: "paused", release_version: 12, approval_policy: "always" })]);
  const row = await rowOf("refund");
  expect(row.getByRole("link", { name: "refund" }).getAttribute("href")).toBe("/actions/refund");
  row.getByRole("cell", { name: "Refunds" });
  row.getByRole("cell", { name: /^Paused/ });
  row.getByRole("cell", { name: "v12" });
  await expectAccessible();
});

test("the recent calls are shown with the number of failures and the 95th percentile of their duration", async () => {
  renderActions([sampleAction()], {
    activity: [activityOf({ calls: 1_200, has_more: true, error_rate: 0.25, p95_ms: 1_500 })],
  });
  const row = await rowOf("refund");
  await row.findByRole("cell", { name: "1,200+" });
  row.getByRole("cell", { name: "25%" });
  row.getByRole("cell", { name: /^1\.5/ });
});

test("a rare failure is not rounded to zero", async () => {
  renderActions([sampleAction()], { activity: [activityOf({ calls: 900, error_rate: 0.002 })] });
  await (await rowOf("refund")).findByRole("cell", { name: "0.2%" });
});

test("an action that was never called shows no rate and no duration", async () => {
  renderActions([sampleAction()], { activity: [activityOf()] });
  const row = await rowOf("refund");
  await row.findByRole("cell", { name: "0" });
  expect(row.queryByText(/%|ms/)).toBeNull();
});

test("the list appears before its activity loads, and stays if the activity fails to load", async () => {
  const page = renderPage(<ActionList />, {
    prepare: (server) => {
      server.answer("list_actions", pageOf<ActionObject>([sampleAction()]));
      server.refuse("list_action_activity", { code: "INTERNAL_ERROR", message: "It did not work." });
    },
  });
  await rowOf("refund");
  await eventually(() => expect(page.server.sent("list_action_activity")).toEqual([{ slugs: ["refund"] }]));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a search and a status filter the list and are kept in the URL", async () => {
  const page = renderActions([sampleAction()]);
  await rowOf("refund");
  await page.user.type(screen.getByRole("searchbox", { name: /actions/i }), " refund {Enter}");
  await page.user.selectOptions(screen.getByRole("combobox", { name: "Status" }), "paused");
  await eventually(() => expect(lastList(page)).toMatchObject({ q: "refund", status: "paused" }));
  expect(window.location.search).toBe("?q=refund&status=paused");
});

test("the filters in the URL are applied when the page opens", async () => {
  const page = renderActions([sampleAction()], { address: "/actions?q=refund&status=archived" });
  await rowOf("refund");
  expect(page.server.sent("list_actions")).toMatchObject([{ q: "refund", status: "archived" }]);
  expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("refund");
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Status" }).value).toBe("archived");
});

test("an unknown status in the URL shows every action", async () => {
  const page = renderActions([sampleAction()], { address: "/actions?status=gone" });
  await rowOf("refund");
  expect(lastList(page)).toMatchObject({ status: "all" });
});

test("filters without a match can be cleared together", async () => {
  const page = renderActions([], { address: "/actions?q=nothing&status=paused" });
  await page.user.click(await screen.findByRole("button", { name: /^Clear filters/ }));
  await eventually(() => expect(window.location.search).toBe(""));
  await screen.findByRole("heading", { name: /^No actions/ });
});

test("a workspace without actions links to its workflows and shows no filters", async () => {
  renderActions([]);
  await screen.findByRole("heading", { name: /^No actions/ });
  expect(screen.getByRole("link", { name: /workflows/i }).getAttribute("href")).toBe("/workflows");
  expect(screen.queryByRole("searchbox")).toBeNull();
});

test("the slash key focuses the search", async () => {
  const { user } = renderActions([sampleAction()]);
  await rowOf("refund");
  await user.keyboard("/");
  const search = screen.getByRole<HTMLInputElement>("searchbox");
  await expectFocus(search);
  expect(search.value).toBe("");
});

test("a filter returns to the first page", async () => {
  const page = renderActions([sampleAction()]);
  page.server.answer("list_actions", ({ cursor }) =>
    cursor === "second" ? pageOf([sampleAction({ slug: "older" })]) : pageOf([sampleAction()], "second"),
  );
  await page.user.selectOptions(await screen.findByRole("combobox", { name: "Status" }), "active");
  await page.user.click(await screen.findByRole("button", { name: /^Next/ }));
  await rowOf("older");
  expect(window.location.search).toBe("?status=active&cursor=second");
  await page.user.selectOptions(screen.getByRole("combobox", { name: "Status" }), "paused");
  await eventually(() => expect(window.location.search).toBe("?status=paused"));
  expect(lastList(page)).not.toHaveProperty("cursor");
});

test("going back steps through the pages in order", async () => {
  const { user } = renderPage(<ActionList />, {
    prepare: (server) => {
      server.answer("list_action_activity", { days: 7, data: [] });
      server.answer("list_actions", ({ cursor }) => {
        if (cursor === "third") return pageOf<ActionObject>([sampleAction({ slug: "oldest" })]);
        if (cursor === "second") return pageOf<ActionObject>([sampleAction({ slug: "older" })], "third");
        return pageOf<ActionObject>([sampleAction()], "second");
      });
    },
  });
  for (const slug of ["refund", "older"]) {
    await rowOf(slug);
    await user.click(screen.getByRole("button", { name: /^Next/ }));
  }
  await rowOf("oldest");
  await user.click(screen.getByRole("button", { name: /^Previous/ }));
  await rowOf("older");
  await user.click(screen.getByRole("button", { name: /^Previous/ }));
  await rowOf("refund");
  expect(window.location.search).toBe("");
});

test("an action list that fails to load can be retried", async () => {
  const { user, server } = renderPage(<ActionList />, {
    prepare: (fake) => {
      fake.refuse("list_actions", { code: "INTERNAL_ERROR", message: "It did not work." });
      fake.answer("list_action_activity", { days: 7, data: [] });
    },
  });
  await screen.findByText("It did not work.");
  server.answer("list_actions", pageOf<ActionObject>([sampleAction()]));
  await user.click(screen.getByRole("button", { name: /try again/i }));
  await rowOf("refund");
});
