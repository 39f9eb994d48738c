import type { z } from "zod";
import type {
  approvalDetailSchema,
  approvalRequestSchema,
  approvalSchema,
} from "#lib/contract/schemas/approval-schema";

/** Approval requests (contract, Run; decisions, Approvals). */
export const APPROVAL_STATUSES = ["pending", "approved", "rejected", "expired", "cancelled"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** What a person or a key can say; the other statuses come about by themselves. */
export const DECISIONS = ["approved", "rejected"] as const satisfies ApprovalStatus[];
export type Decision = (typeof DECISIONS)[number];

/** `policy`: the action's approval_policy held the run back. `gate`: an approval node was reached. */
export const APPROVAL_KINDS = ["policy", "gate"] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** `run.approval` on the wire. */
export type ApprovalObject = z.output<typeof approvalSchema>;

/** The parts of the inbox: what waits, what somebody ended, what nobody decided in time. */
export const INBOX_VIEWS = ["pending", "decided", "expired"] as const;
export type InboxView = (typeof INBOX_VIEWS)[number];

/** A request as people find it in the inbox: with what it is for and who asked. */
export type ApprovalRequestObject = z.output<typeof approvalRequestSchema>;
export type ApprovalDetailObject = z.output<typeof approvalDetailSchema>;
