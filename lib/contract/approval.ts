/** Approval requests (contract: Approval request; decisions: Approval). */
export const APPROVAL_STATUSES = ["pending", "approved", "rejected", "expired", "cancelled"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** What a person or a key can say; the other statuses come about by themselves. */
export const DECISIONS = ["approved", "rejected"] as const satisfies ApprovalStatus[];
export type Decision = (typeof DECISIONS)[number];

/** `policy`: the action's approval_policy held the run back. `gate`: an approval node was reached. */
export const APPROVAL_KINDS = ["policy", "gate"] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** `run.approval` on the wire. */
export interface ApprovalObject {
  id: string;
  status: ApprovalStatus;
  kind: ApprovalKind;
  step_id: string | null;
  message: string | null;
  requested_at: string;
  expires_at: string;
  decided_at: string | null;
  decided_by: { type: "api_key" | "user" | "system"; id: string | null; name: string | null } | null;
  comment: string | null;
}
