import { z } from "zod";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { pageInput } from "#lib/api/operations/define/list-page";
import { INBOX_VIEWS } from "#lib/contract/approval/approval";
import { approvalDetailSchema, approvalRequestSchema } from "#lib/contract/approval/approval-schema";
import { countSchema, wirePageOf } from "#lib/contract/wire/wire-values";
import { countApprovals } from "#lib/domain/approvals/count-approvals";
import { listApprovals } from "#lib/domain/approvals/list-approvals";
import { getApproval } from "#lib/domain/runs/decide/get-approval";

export const listApprovalsOperation = defineOperation({
  name: "list_approvals",
  title: "List approval requests",
  description: "Lists the approval requests of the workspace: pending, decided and expired.",
  scope: "web",
  role: "viewer",
  input: z.object({ view: z.enum(INBOX_VIEWS).default("pending"), ...pageInput }),
  output: wirePageOf(approvalRequestSchema),
  run: (caller, input) => listApprovals(caller.workspaceId, input),
});

export const getApprovalOperation = defineOperation({
  name: "get_approval",
  title: "Get approval request",
  description: "Returns one approval request: the waiting run, the run's input, who requested it and who can decide.",
  scope: "web",
  role: "viewer",
  input: z.object({ approval_id: z.string() }),
  output: approvalDetailSchema,
  run: (caller, input) => getApproval(caller, input.approval_id),
});

export const countApprovalsOperation = defineOperation({
  name: "count_approvals",
  title: "Count approval requests",
  description: "Counts the pending approval requests.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  output: z.object({ pending: countSchema }),
  run: (caller) => countApprovals(caller.workspaceId),
});
