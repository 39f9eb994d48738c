import type { ApprovalObject } from "#lib/contract/approval/approval";

const WORDS: Record<Exclude<ApprovalObject["status"], "pending">, string> = {
  approved: "Approved",
  rejected: "Rejected",
  expired: "No one decided in time",
  cancelled: "The run was cancelled",
};

/** Describes the outcome of a request and who decided it: "Approved by Ann". */
export function describeOutcome({ status, decided_by: by }: Pick<ApprovalObject, "status" | "decided_by">): string {
  if (status === "pending") return "Waiting";
  if (status === "cancelled" && by?.name) return `${by.name} cancelled the run`;
  return by?.name ? `${WORDS[status]} by ${by.name}` : WORDS[status];
}
