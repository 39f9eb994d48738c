import type { z } from "zod";
import type {
  approvalDetailSchema,
  approvalRequestSchema,
  approvalSchema,
} from "#lib/contract/approval/approval-schema";

/** Approval requests (contract, Run; decisions, Approvals). */
export const APPROVAL_STATUSES = ["pending", "approved", "rejected", "expired", "cancelled"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** The decisions that a person or a key can make; the other statuses are set by the system. */
export const DECISIONS = ["approved", "rejected"] as const satisfies ApprovalStatus[];
export type Decision = (typeof DECISIONS)[number];

/** `policy`: the action's approval_policy held the run. `gate`: the run reached an approval node. */
export const APPROVAL_KINDS = ["policy", "gate"] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** `run.approval` on the wire. */
export type ApprovalObject = z.output<typeof approvalSchema>;

/** The views of the inbox: waiting requests, requests that were decided or cancelled, and expired requests. */
export const INBOX_VIEWS = ["pending", "decided", "expired"] as const;
export type InboxView = (typeof INBOX_VIEWS)[number];

/** A request as the inbox shows it, with what it is for and who started the run. */
export type ApprovalRequestObject = z.output<typeof approvalRequestSchema>;
export type ApprovalDetailObject = z.output<typeof approvalDetailSchema>;
