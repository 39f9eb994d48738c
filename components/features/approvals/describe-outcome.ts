import type { ApprovalObject } from "#lib/contract/approval";

const WORDS: Record<Exclude<ApprovalObject["status"], "pending">, string> = {
  approved: "Approved",
  rejected: "Rejected",
  expired: "Nobody decided in time",
  cancelled: "The run was cancelled",
};

/** What became of a request and by whom: "Approved by Ann". */
export function describeOutcome({ status, decided_by: by }: Pick<ApprovalObject, "status" | "decided_by">): string {
  if (status === "pending") return "Waiting";
  if (status === "cancelled" && by?.name) return `${by.name} cancelled the run`;
  return by?.name ? `${WORDS[status]} by ${by.name}` : WORDS[status];
}
