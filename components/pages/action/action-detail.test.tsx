import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ActionDetailObject } from "#lib/contract/action/action";
import type { Role } from "#lib/contract/workspace/roles";
import { ActionDetail } from "@/components/pages/action/action-detail";
import { sampleAction } from "@/components/testing/action.fixture";
import { pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { runError, sampleRun } from "@/components/testing/run.fixture";

function renderAction(action: ActionDetailObject, { tab = "", role = "owner" as Role } = {}) {
  return renderPage(<ActionDetail slug={action.slug} />, {
    address: `/actions/${action.slug}${tab === "" ? "" : `?tab=${tab}`}`,
    session: { role },
    prepare: (server) => {
      server.answer("get_action", action);
      server.answer("list_action_activity", { days: 7, data: [] });
      server.answer("list_runs", pageOf([sampleRun({ status: "failed", output: null, error: runError() })]));
    },
  });
}

test("the overview shows the input that callers send and that they can call", async () => {
  renderAction(sampleAction());
  await screen.findByText("Agents can find and call it.");
  const amount = within(screen.getByText("amount").closest("li") ?? document.body);
  amount.getByText("integer");
  amount.getByText("required");
  amount.getByText("In cents.");
  within(screen.getByText("note").closest("li") ?? document.body).getByText("optional");
  await expectAccessible();
});

test("pausing first says what callers get, and then confirms", async () => {
  const { user, server } = renderAction(sampleAction());
  const paused = sampleAction({ status: "paused" });
  await user.click(await screen.findByRole("button", { name: "Pause…" }));
  const dialog = within(await screen.findByRole("alertdialog", { name: "Pause refund?" }));
  dialog.getByText(/Callers get 409 ACTION_UNAVAILABLE/);
  expect(server.sent("set_action_status")).toEqual([]);
  server.answer("set_action_status", paused);
  server.answer("get_action", paused);
  await user.click(dialog.getByRole("button", { name: "Pause" }));
  await screen.findByText(/^Action refund paused\./);
  expect(server.sent("set_action_status")).toEqual([{ slug: "refund", status: "paused" }]);
  await screen.findByRole("button", { name: "Resume…" });
});

test("an archived action can only be restored, and comes back paused", async () => {
  const { user } = renderAction(sampleAction({ status: "archived" }));
  await user.click(await screen.findByRole("button", { name: "Restore…" }));
  const dialog = within(await screen.findByRole("alertdialog", { name: "Restore refund?" }));
  dialog.getByText(/The action is paused after you restore it/);
  expect(screen.queryByRole("button", { name: "Archive…", hidden: true })).toBeNull();
});

test("a change of availability that is refused says why in the question", async () => {
  const { user, server } = renderAction(sampleAction());
  server.refuse("set_action_status", { code: "FORBIDDEN", message: "You need the editor role." });
  await user.click(await screen.findByRole("button", { name: "Archive…" }));
  const dialog = within(await screen.findByRole("alertdialog"));
  await user.click(dialog.getByRole("button", { name: "Archive" }));
  await dialog.findByText("You need the editor role.");
});

test("a viewer cannot change the availability", async () => {
  renderAction(sampleAction(), { role: "viewer" });
  await screen.findByText("You need the editor role to change this.");
  expect(screen.queryByRole("button", { name: "Pause…" })).toBeNull();
});

test("the parts of the action are tabs in the address", async () => {
  const { user } = renderAction(sampleAction());
  await user.click(await screen.findByRole("tab", { name: "Schema" }));
  await screen.findByText("The workflow defines no output fields.");
  expect(window.location.search).toBe("?tab=schema");
});

test("the schema lists the fields, defaults and allowed values of input and output", async () => {
  const action = sampleAction({
    inputSchema: {
      type: "object",
      properties: { reason: { type: "string", enum: ["broken", "late"], default: "late" } },
      required: [],
    },
    outputSchema: { type: "object", properties: { total: { type: "number" } } },
  });
  renderAction(action, { tab: "schema" });
  const reason = within((await screen.findByText("reason")).closest("li") ?? document.body);
  reason.getByText('"broken", "late"');
  reason.getByText('"late"');
  within(screen.getByText("total").closest("li") ?? document.body).getByText("number");
  await expectAccessible();
});

test("the call guide has this action's example in every language, for the installation's address", async () => {
  const { user } = renderAction(sampleAction(), { tab: "call" });
  const block = await screen.findByText(/curl .*https:\/\/signalbox\.example\/api\/v1\/runtime\/actions\/refund\/run/s);
  expect(block.textContent).toMatch(/"amount": ?500/);
  await user.click(screen.getByRole("button", { name: "Python" }));
  await screen.findByText(/call\("\/actions\/refund\/run"/);
  screen.getByText("409 ACTION_UNAVAILABLE");
});

test("the accepted answer in the call guide waits for approval if the action does", async () => {
  renderAction(sampleAction({ approval_policy: "always" }), { tab: "call" });
  await screen.findByText(/"status": "waiting_for_approval"/);
});

test("the runs tab shows the latest runs and links to all of them", async () => {
  const { server } = renderAction(sampleAction(), { tab: "runs" });
  await screen.findByRole("link", { name: "Failed: run …00000001 of refund" });
  expect(screen.getByRole("link", { name: "All runs of refund" }).getAttribute("href")).toBe("/runs?action=refund");
  expect(server.sent("list_runs")).toEqual([{ action_slug: "refund", limit: 10 }]);
});

test("an action that was never called says how to call it", async () => {
  renderPage(<ActionDetail slug="refund" />, {
    address: "/actions/refund?tab=runs",
    prepare: (server) => {
      server.answer("get_action", sampleAction());
      server.answer("list_runs", pageOf([]));
    },
  });
  expect((await screen.findByRole("link", { name: "Call this action" })).getAttribute("href")).toBe(
    "/actions/refund?tab=call",
  );
});

test("a slug that is no action says so and leads to the list", async () => {
  renderPage(<ActionDetail slug="nothing" />, {
    prepare: (server) => server.refuse("get_action", { code: "ACTION_NOT_FOUND", message: "No such action." }),
  });
  await screen.findByText("This action doesn't exist");
  expect(screen.getByRole("link", { name: "All actions" }).getAttribute("href")).toBe("/actions");
});

test("a real try follows the run to its output", async () => {
  const { user, server } = renderAction(sampleAction(), { tab: "try" });
  server.answer("run_action", sampleRun());
  server.answer("get_run_status", sampleRun());
  await user.click(await screen.findByRole("switch", { name: "Dry run" }));
  await user.click(screen.getByRole("button", { name: "Run" }));
  expect((await screen.findByRole("link", { name: "View run" })).getAttribute("href")).toBe(
    `/runs/${sampleRun().run_id}`,
  );
  screen.getByRole("region", { name: "output" });
  expect(server.sent("run_action")).toMatchObject([{ dry_run: false }]);
});

test("running again fills in the input of the earlier run and says that secrets were replaced", async () => {
  renderPage(<ActionDetail slug="refund" />, {
    address: `/actions/refund?tab=try&from=${sampleRun().run_id}`,
    prepare: (server) => {
      server.answer("get_action", sampleAction());
      server.answer("get_run_status", sampleRun({ input: { amount: 42 } }));
    },
  });
  expect(await screen.findByRole("textbox", { name: "amount" })).toHaveProperty("value", "42");
  screen.getByText(/with personal data and secrets redacted/);
});

test("a viewer cannot run the action", async () => {
  renderAction(sampleAction(), { tab: "try", role: "viewer" });
  expect(await screen.findByRole("button", { name: "Dry run" })).toHaveProperty("disabled", true);
});
