import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { renderRun } from "@/components/pages/run/render-run.fixture";
import { RunDetail } from "@/components/pages/run/run-detail";
import { sampleApproval } from "@/components/testing/approval.fixture";
import { idOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { FAILED_RUN, sampleRun, sampleStep } from "@/components/testing/run.fixture";

const details = async () => within(await screen.findByRole("complementary", { name: "Details" }));
test("the timeline lists the steps in order, each with its outcome", async () => {
  renderRun(FAILED_RUN);
  const timeline = within(await screen.findByRole("listbox", { name: "Timeline" }));
  const rows = timeline.getAllByRole("option").map((row) => row.textContent);
  expect(rows.some((row) => row?.includes("Charge"))).toBe(true);
  expect(rows.find((row) => row?.includes("Refund, "))).toContain(", Failed, attempt 3");
});

test("a failed run opens at the step that ended it, with advice and a link to the canvas", async () => {
  renderRun(FAILED_RUN);
  const panel = await details();
  await panel.findByRole("heading", { name: "Refund" });
  panel.getByRole("tab", { name: "Error", selected: true });
  panel.getByText("The shop did not answer.");
  await expectAccessible();
});

test("arrow keys move through the timeline, and the address names the step", async () => {
  const { user } = renderRun(FAILED_RUN);
  const rows = within(await screen.findByRole("listbox", { name: "Timeline" })).getAllByRole("option");
  const charge = rows.find((row) => row.textContent?.includes("Charge"));
  if (charge === undefined) throw new Error("There is no such row");
  await user.click(charge);
  const panel = await details();
  await panel.findByRole("heading", { name: "Charge" });
  expect(window.location.search).toBe("?step=charge");
  expect(charge.getAttribute("aria-selected")).toBe("true");
  charge.focus();
  await user.keyboard("{ArrowDown}");
  await panel.findByRole("heading", { name: "Refund" });
});

test("a step shows its input and output, which load when the step is opened", async () => {
  const { user, server } = renderRun(FAILED_RUN, { query: "?step=charge" });
  const panel = await details();
  await panel.findByRole("tab", { name: "Output", selected: true });
  await eventually(() => expect(server.sent("get_run_step")[0]).toMatchObject({ run_id: idOf(1), step_id: "charge" }));
  await user.click(panel.getByRole("tab", { name: "Input" }));
  await panel.findByRole("region", { name: /input/i });
  expect(window.location.search).toContain("view=input");
});

test("a run that waits shows the request, and a user may decide there", async () => {
  const waiting = sampleRun({
    status: "waiting_for_approval",
    completed_at: null,
    duration_ms: null,
    approval: sampleApproval(),
  });
  const { user, server } = renderRun(waiting);
  const panel = await details();
  await panel.findByText("Waiting for a person to approve");
  panel.getByText("Refund 500 EUR?");
  server.refuse("approve_run", { code: "APPROVAL_EXPIRED", message: "The request has expired." });
  await user.click(await panel.findByRole("button", { name: "Approve" }));
  await eventually(() => expect(panel.getByRole("alert").textContent).toBe("The request has expired."));
});

test("a decided run says who decided and what they wrote", async () => {
  const by = { type: "user" as const, id: idOf(9), name: "Bob" };
  renderRun(
    sampleRun({
      approval: sampleApproval({
        status: "rejected",
        decided_by: by,
        decided_at: secondsAgo(60),
        comment: "Too much.",
      }),
    }),
  );
  const panel = await details();
  await panel.findByText("Rejected by Bob");
  panel.getByText("Too much.");
});

test("the details name who started the run and show the call as curl", async () => {
  const { user } = renderRun(sampleRun({ status: "succeeded", output: { ok: true } }), { query: "?view=details" });
  const panel = await details();
  await panel.findByText("Support bot");
  expect(panel.getByRole("link", { name: "refund" }).getAttribute("href")).toBe("/actions/refund");
  await user.click(panel.getByRole("button", { name: "Copy call as curl" }));
  expect(await navigator.clipboard.readText()).toContain("https://signalbox.example/api/v1/runtime/actions/refund/run");
});

test("a run of a deleted workflow can be read, but not replayed or opened in the canvas", async () => {
  renderRun(FAILED_RUN, { graph: { is_deleted: true }, query: "?replay=resume" });
  await screen.findByText("The workflow was deleted. You can view its runs, but not replay them.");
  expect(screen.queryByRole("button", { name: /^Replay…/ })).toBeNull();
  expect(screen.queryByRole("link", { name: "Open in editor" })).toBeNull();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a run that does not exist leads back to the list", async () => {
  renderPage(<RunDetail runId={idOf(5)} />, {
    prepare: (server) => server.refuse("get_run_status", { code: "RUN_NOT_FOUND", message: "There is none." }),
  });
  await screen.findByText("This run doesn't exist");
  expect(screen.getByRole("link", { name: "All runs" }).getAttribute("href")).toBe("/runs");
});

const WARNING = {
  step_id: "charge",
  field: "params.body.amount",
  path: "quote.totl",
  resolved_until: "quote",
  has: "{total, currency}",
};

test("a run shows its warnings with their steps, and a step shows its own", async () => {
  const steps = [sampleStep({ warnings: [WARNING] })];
  const { user } = renderRun(sampleRun({ steps, warnings: [WARNING] }));
  const panel = await details();
  const ofRun = within(await panel.findByRole("region", { name: "Warnings" }));
  ofRun.getByRole("heading", { name: "1 path did not resolve" });
  expect(ofRun.getByRole("listitem").textContent).toBe(
    "quote.totl was null. quote has only total, currency. Charge · params.body.amount",
  );
  await expectAccessible();
  const timeline = within(await screen.findByRole("listbox", { name: "Timeline" }));
  const charge = timeline.getAllByRole("option").find((row) => row.textContent?.includes("Charge"));
  expect(charge?.textContent).toContain("with warnings");
  if (charge) await user.click(charge);
  await panel.findByRole("heading", { name: "Charge" });
  expect(within(panel.getByRole("region", { name: "Warnings" })).getByRole("listitem").textContent).toBe(
    "quote.totl was null. quote has only total, currency. params.body.amount",
  );
});
