import type { z } from "zod";
import type { JsonObject } from "#lib/contract/json-schema";
import type { RunSource } from "#lib/contract/run";
import type { approvalSchema } from "#lib/contract/schemas/approval-schema";

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
export interface ApprovalRequestObject extends ApprovalObject {
  run_id: string;
  action_slug: string | null;
  workflow_id: string;
  workflow_name: string;
  source: RunSource;
  /** `name` is null for an event: nobody asked. */
  requested_by: { type: "api_key" | "user" | "event"; name: string | null; prefix: string | null };
}

export interface ApprovalDetailObject extends ApprovalRequestObject {
  /** Sanitized, as the run shows it. */
  input: JsonObject;
  /** Of a gate: the label of its step. */
  step_name: string | null;
  /** Of a gate: a rejection goes on along a path of its own instead of cancelling the run. */
  has_rejected_branch: boolean;
  /** The workspace forbids that whoever started a run approves it, and the reader did. */
  is_own_forbidden: boolean;
  /** Names of members who may decide, the first few. */
  deciders: string[];
}
