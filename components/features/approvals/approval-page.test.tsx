import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ApprovalDetailObject } from "#lib/contract/approval/approval";
import type { RunObject } from "#lib/contract/run/run";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { ApprovalPage } from "@/components/features/approvals/approval-page";
import { approvalDetail, sampleApproval } from "@/components/testing/approval.fixture";
import { idOf, secondsAgo } from "@/components/testing/page.fixture";
import { describedBy, expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { RUN } from "@/components/testing/sample-objects.fixture";

const ANN = "11111111-1111-4111-8111-111111111111";

function renderApproval(approval: ApprovalDetailObject, role: Role = "approver") {
  return renderPage(<ApprovalPage approvalId={approval.id} />, {
    session: { role },
    prepare: (server) => server.answer("get_approval", approval),
  });
}

function decidedRun(status: "approved" | "rejected", by: { id: string; name: string }): RunObject {
  return {
    ...RUN,
    run_id: idOf(50),
    status: status === "rejected" ? "cancelled" : "running",
    approval: sampleApproval({ status, decided_by: { type: "user", ...by }, decided_at: secondsAgo(5) }),
  };
}

const decision = async () => within(await screen.findByRole("region", { name: "Decision" }));

test("a request says what either decision does, and shows the input of the run", async () => {
  renderApproval(approvalDetail());
  const part = await decision();
  part.getByText("Approving lets the run continue from this step. Rejecting cancels the run.");
  screen.getByRole("region", { name: "input" });
  expect(screen.getByRole("link", { name: "refund" }).getAttribute("href")).toBe("/actions/refund");
  screen.getByText("Ask a person");
  await expectAccessible();
});

test("a policy request whose action has a rejected branch says that rejecting continues there", async () => {
  renderApproval(approvalDetail({ kind: "policy", step_id: null, has_rejected_branch: true }));
  (await decision()).getByText("Approving starts the run. Rejecting continues on the rejected branch.");
});

test("an approval is sent with its comment, once, and confirmed", async () => {
  const { user, server } = renderApproval(approvalDetail());
  const part = await decision();
  server.answer("approve_run", decidedRun("approved", { id: ANN, name: "Ann" }));
  const release = server.hold("approve_run");
  await user.type(part.getByRole("textbox", { name: "Comment" }), "  Known customer. ");
  await user.click(part.getByRole("button", { name: /^Approve/ }));
  await eventually(() => expect(part.getByRole<HTMLButtonElement>("button", { name: /^Reject/ }).disabled).toBe(true));
  await user.click(part.getByRole("button", { name: /^Approve/ }));
  release();
  await screen.findByText("Approved. The run continues.");
  expect(server.sent("approve_run")).toEqual([
    { run_id: idOf(50), approval_id: idOf(1), decision: "approved", comment: "Known customer." },
  ]);
});

test("approving a policy request says that the run starts", async () => {
  const { user, server } = renderApproval(approvalDetail({ kind: "policy", step_id: null }));
  const part = await decision();
  const run = decidedRun("approved", { id: ANN, name: "Ann" });
  server.answer("approve_run", { ...run, approval: run.approval && { ...run.approval, kind: "policy" } });
  await user.click(part.getByRole("button", { name: /^Approve/ }));
  await screen.findByText("Approved. The run starts.");
});

test("a letter only focuses a button, and Enter decides", async () => {
  const { user, server } = renderApproval(approvalDetail());
  const part = await decision();
  server.answer("approve_run", decidedRun("rejected", { id: ANN, name: "Ann" }));
  await user.keyboard("r");
  expect(document.activeElement).toBe(part.getByRole("button", { name: /^Reject/ }));
  expect(server.sent("approve_run")).toEqual([]);
  await user.keyboard("{Enter}");
  await screen.findByText("Rejected. The run is cancelled.");
  expect(server.sent("approve_run")).toEqual([{ run_id: idOf(50), approval_id: idOf(1), decision: "rejected" }]);
});

test("a person who decides second learns who decided first", async () => {
  const { user, server } = renderApproval(approvalDetail());
  server.answer("approve_run", decidedRun("approved", { id: idOf(9), name: "Bob" }));
  await user.click((await decision()).getByRole("button", { name: /^Approve/ }));
  await screen.findByText("Approved by Bob. Your decision wasn't applied.");
});

test("a decision that contradicts an earlier one is refused with the earlier decider and the time", async () => {
  const { user, server } = renderApproval(approvalDetail());
  const part = await decision();
  server.refuse("approve_run", {
    code: "RUN_NOT_WAITING",
    message: "The run does not wait.",
    details: {
      status: "rejected",
      decided_by: { type: "user", id: idOf(9), name: "Bob" },
      decided_at: secondsAgo(190),
    },
  });
  await user.click(part.getByRole("button", { name: /^Approve/ }));
  await eventually(() =>
    expect(part.getByRole("alert").textContent).toBe("Rejected by Bob, 3 min. ago. Your decision wasn't applied."),
  );
});

test("a decision made offline is not sent, keeps its comment, and can be sent again", async () => {
  const { user, server } = renderApproval(approvalDetail());
  const part = await decision();
  const comment = part.getByRole<HTMLTextAreaElement>("textbox", { name: /^Comment/ });
  await user.type(comment, "Wrong amount.");
  server.goOffline();
  await user.click(part.getByRole("button", { name: /^Reject/ }));
  await part.findByText("You're offline. Your input stays here; try again when you're connected.");
  expect(comment.value).toBe("Wrong amount.");
  server.goOnline();
  server.answer("approve_run", decidedRun("rejected", { id: ANN, name: "Ann" }));
  await user.click(part.getByRole("button", { name: /^Reject/ }));
  await screen.findByText("Rejected. The run is cancelled.");
  expect(server.sent("approve_run")).toEqual([
    { run_id: idOf(50), approval_id: idOf(1), decision: "rejected", comment: "Wrong amount." },
  ]);
});

test("a comment that the server refuses is marked with the reason", async () => {
  const { user, server } = renderApproval(approvalDetail());
  const part = await decision();
  server.refuse("approve_run", {
    code: "BAD_REQUEST",
    message: "The input is not valid.",
    details: [{ field: "comment", pointer: "/comment", code: "invalid", message: "must not contain a key" }],
  });
  await user.click(part.getByRole("button", { name: /^Approve/ }));
  const comment = part.getByRole("textbox", { name: /^Comment/ });
  await eventually(() => expect(describedBy(comment)).toContain("Must not contain a key."));
  await expectFocus(comment);
});

test("a user who may not approve their own run is warned before they try", async () => {
  renderApproval(approvalDetail({ is_own_forbidden: true }));
  (await decision()).getByText("You started this run, so someone else has to approve it. You can reject it.");
});

test("a viewer sees who can decide", async () => {
  renderApproval(approvalDetail({ deciders: ["Ann", "Bob"] }), "viewer");
  await screen.findByText("You need the approver role to decide. These members can decide: Ann, Bob.");
  expect(screen.queryByRole("button", { name: /^Approve/ })).toBeNull();
});

test("an expired request says that the time has passed", async () => {
  renderApproval(approvalDetail({ status: "expired", expires_at: secondsAgo(60) }));
  (await decision()).getByText("No one decided in time");
});

test("a missing request explains why, without a retry button", async () => {
  renderPage(<ApprovalPage approvalId={idOf(8)} />, {
    prepare: (server) => server.refuse("get_approval", { code: "NOT_FOUND", message: "There is none." }),
  });
  await screen.findByText("Request not found");
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});
