import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { RunList } from "@/components/features/runs/list/run-list";
import { sampleAction } from "@/components/testing/action.fixture";
import { keyList, sampleKey } from "@/components/testing/key.fixture";
import { idOf, pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { sampleRun } from "@/components/testing/run.fixture";
import { sampleWorkflow } from "@/components/testing/workflow.fixture";

function renderAt(address: string, { runs = [sampleRun()], role = "owner" as Role } = {}, workflowId?: string) {
  return renderPage(<RunList {...(workflowId === undefined ? {} : { workflowId })} />, {
    address,
    session: { role },
    prepare: (server) => {
      server.answer("list_runs", pageOf(runs));
      server.answer("list_actions", pageOf([sampleAction(), sampleAction({ slug: "invoice" })]));
      server.answer("list_workflows", pageOf([sampleWorkflow({ workflow_id: idOf(7), name: "Invoices" })]));
      server.answer("list_saved_views", { data: [] });
      server.answer("list_keys", keyList([sampleKey()]));
    },
  });
}

const table = () => screen.findByRole("table", { name: "Runs" });

test("a link with filters shows them as chips and requests exactly those runs", async () => {
  const { server } = renderAt("/runs?status=failed,timed_out&source=webhook&action=refund&version=2&correlation=abc");
  await table();
  for (const chip of [
    "Status Failed, Timed out",
    "Source Webhook",
    "Action refund",
    "Version v2",
    "Correlation ID abc",
  ]) {
    screen.getByRole("button", { name: `Remove the filter ${chip}` });
  }
  expect(server.sent("list_runs")[0]).toMatchObject({
    status: "failed,timed_out",
    source: "webhook",
    action_slug: "refund",
    version: 2,
    correlation_id: "abc",
  });
  await expectAccessible();
});

test("invalid filter values in the URL are ignored", async () => {
  const { server } = renderAt("/runs?status=exploded&version=0&key=me&range=yesterday&after=soon");
  await table();
  expect(screen.queryByRole("button", { name: /^Remove the filter/ })).toBeNull();
  expect(Object.keys(server.sent("list_runs")[0] ?? {})).toEqual(["limit"]);
});

test("a status selected in the menu is set in the URL and sent in the request", async () => {
  const { user, server } = renderAt("/runs");
  await table();
  await user.click(screen.getByRole("button", { name: "Status" }));
  await user.click(await screen.findByRole("menuitemcheckbox", { name: "Failed" }));
  await eventually(() => expect(window.location.search).toBe("?status=failed"));
  await eventually(() => expect(server.sent("list_runs").at(-1)).toMatchObject({ status: "failed" }));
});

test("a chip removes its own filter and keeps the others", async () => {
  const { user, server } = renderAt("/runs?status=failed&source=webhook");
  await table();
  await user.click(screen.getByRole("button", { name: "Remove the filter Status Failed" }));
  await eventually(() => expect(window.location.search).toBe("?source=webhook"));
  await eventually(() =>
    expect(server.sent("list_runs").at(-1)).toEqual({ source: "webhook", limit: LIMITS.runsPageSize }),
  );
});

test("removing the action also removes its version, which is meaningless without it", async () => {
  const { user } = renderAt("/runs?action=refund&version=2");
  await table();
  await user.click(screen.getByRole("button", { name: "Remove the filter Action refund" }));
  await eventually(() => expect(window.location.search).toBe(""));
});

test("filters without a match can be cleared with one click", async () => {
  const { user, server } = renderAt("/runs?status=failed&action=refund", { runs: [] });
  const main = within(screen.getByRole("main"));
  await main.findByText("No run matches the filters.");
  server.answer("list_runs", pageOf([sampleRun()]));
  await user.click(main.getByRole("button", { name: "Clear filters" }));
  await table();
  expect(window.location.search).toBe("");
});

test("the action filter lists the workspace's actions and keeps one from a link", async () => {
  const { user } = renderAt("/runs?action=gone");
  await table();
  const select = within(screen.getByRole<HTMLSelectElement>("combobox", { name: "Action" }));
  await select.findByRole("option", { name: "invoice" });
  select.getByRole("option", { name: "gone", selected: true });
  await user.selectOptions(screen.getByRole("combobox", { name: "Action" }), "invoice");
  await eventually(() => expect(window.location.search).toBe("?action=invoice"));
});

test("a run id in the search opens the run, any other text filters by correlation id", async () => {
  const { user, router } = renderAt("/runs");
  await table();
  const search = screen.getByRole("searchbox", { name: "Run ID or correlation ID" });
  await user.type(search, idOf(9).toUpperCase());
  await eventually(() => expect(router.push).toHaveBeenCalledWith(`/runs/${idOf(9)}`));
  await user.clear(search);
  await user.type(search, "order-7");
  await eventually(() => expect(window.location.search).toBe("?correlation=order-7"));
});

test("a time range requests the runs since then, to the minute", async () => {
  const { server } = renderAt("/runs?range=24h");
  await table();
  screen.getByRole("button", { name: "Remove the filter Created last 24 hours" });
  const { created_after: after = "" } = server.sent("list_runs")[0] ?? {};
  expect(after).toMatch(/:00\.000Z$/);
  const hours = (Date.now() - Date.parse(after)) / 3_600_000;
  expect(hours).toBeGreaterThanOrEqual(24);
  expect(hours).toBeLessThan(24.1);
});

test("a custom range has two date fields, and selecting another range clears them", async () => {
  const { user, server } = renderAt("/runs?range=custom");
  await table();
  fireEvent.change(screen.getByLabelText("From"), { target: { value: "2026-01-05T09:00" } });
  const from = new Date("2026-01-05T09:00").toISOString();
  await eventually(() => expect(server.sent("list_runs").at(-1)).toMatchObject({ created_after: from }));
  await user.selectOptions(screen.getByRole("combobox", { name: "Created" }), "Any time");
  await eventually(() => expect(window.location.search).toBe(""));
  expect(screen.queryByLabelText("From")).toBeNull();
});

test("rarer filters are behind More, which stays open while one of them is set", async () => {
  const { user } = renderAt("/runs");
  await table();
  expect(screen.queryByRole("searchbox", { name: "Error text" })).toBeNull();
  const more = screen.getByRole("button", { name: "More" });
  await user.click(more);
  expect(more.getAttribute("aria-expanded")).toBe("true");
  await user.type(screen.getByRole("searchbox", { name: "Error text" }), "amount");
  await eventually(() => expect(window.location.search).toBe("?error=amount"));
  await eventually(() => expect(more).toHaveProperty("disabled", true));
});

test("a version can be selected only after an action or a workflow", async () => {
  const { user } = renderAt("/runs");
  await table();
  await user.click(screen.getByRole("button", { name: "More" }));
  expect(screen.getByRole("spinbutton", { name: "Version" })).toHaveProperty("disabled", true);
  await user.selectOptions(
    screen.getByRole("combobox", { name: "Action" }),
    await screen.findByRole("option", { name: "invoice" }),
  );
  await user.type(screen.getByRole("spinbutton", { name: "Version" }), "4");
  await eventually(() => expect(window.location.search).toBe("?action=invoice&version=4"));
});

test("an admin filters by key, and its chip shows the key's name", async () => {
  const { user } = renderAt("/runs");
  await table();
  await user.click(screen.getByRole("button", { name: "More" }));
  await screen.findByRole("option", { name: "Support bot (svc_abcd)" });
  await user.selectOptions(screen.getByRole("combobox", { name: "Key" }), "Support bot (svc_abcd)");
  await screen.findByRole("button", { name: "Remove the filter Key Support bot" });
  expect(window.location.search).toBe(`?key=${idOf(1)}`);
});

test("keys are not requested for a viewer, who may not list them", async () => {
  const { user, server } = renderAt(`/runs?key=${idOf(1)}`, { role: "viewer" });
  await table();
  await user.click(screen.getByRole("button", { name: "Remove the filter Key …00000001" }));
  expect(server.sent("list_keys")).toEqual([]);
});

test("a workflow's runs are listed however they were started", async () => {
  const { user, server } = renderAt("/runs");
  await table();
  const workflow = screen.getByRole("combobox", { name: "Workflow" });
  await user.selectOptions(workflow, await within(workflow).findByRole("option", { name: "Invoices" }));
  await eventually(() => expect(window.location.search).toBe(`?workflow=${idOf(7)}`));
  expect(server.sent("list_runs").at(-1)).toEqual({ workflow_id: idOf(7), limit: 20 });
  await user.click(screen.getByRole("button", { name: "Remove the filter Workflow Invoices" }));
  await eventually(() => expect(window.location.search).toBe(""));
});

test("the list of one workflow ignores the subjects in the address and offers no filter for them", async () => {
  const { server } = renderAt(`/workflows/${idOf(7)}?workflow=${idOf(8)}&action=invoice&status=failed`, {}, idOf(7));
  await table();
  expect(server.sent("list_runs")).toEqual([{ workflow_id: idOf(7), status: "failed", limit: 20 }]);
  expect(screen.queryByRole("combobox", { name: "Workflow" })).toBeNull();
  expect(screen.queryByRole("combobox", { name: "Action" })).toBeNull();
  expect(screen.queryByRole("heading", { name: "Runs" })).toBeNull();
});
