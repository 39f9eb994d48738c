"use client";

import { Hand } from "lucide-react";
import type { ApprovalObject } from "#lib/contract/approval";
import { useNow } from "@/components/runs/use-now";
import { describeDuration, describeInstant } from "@/components/ui/format-time";

const DECIDED_WORDS: Record<Exclude<ApprovalObject["status"], "pending">, string> = {
  approved: "Approved",
  rejected: "Rejected",
  expired: "Nobody decided in time",
  cancelled: "No longer needed",
};

/** What is waited for and until when; or who decided, and when. */
export function ApprovalCard({ approval }: { approval: ApprovalObject }) {
  return approval.status === "pending" ? (
    <PendingApproval approval={approval} />
  ) : (
    <div className="rounded-3 border border-border px-3 py-2.5">
      <p className="font-medium">
        {DECIDED_WORDS[approval.status]}
        {approval.decided_by?.name ? ` by ${approval.decided_by.name}` : ""}
      </p>
      {approval.decided_at === null ? null : (
        <p className="text-dense text-text-3">{describeInstant(approval.decided_at)}</p>
      )}
      {approval.comment === null ? null : <p className="mt-1 text-text-2">{approval.comment}</p>}
    </div>
  );
}

function PendingApproval({ approval }: { approval: ApprovalObject }) {
  const now = useNow(true);
  const leftMs = Date.parse(approval.expires_at) - now;
  return (
    <div className="flex gap-2.5 rounded-3 bg-wait-bg px-3 py-2.5">
      <Hand aria-hidden className="mt-0.5 size-4 shrink-0 text-wait" />
      <div className="min-w-0">
        <p className="font-semibold text-wait">Waiting for a person to approve</p>
        {approval.message === null ? null : <p>{approval.message}</p>}
        <p>
          {leftMs > 0
            ? `Nothing goes on before that. The request expires in ${describeDuration(leftMs)}.`
            : "The time is up."}
        </p>
      </div>
    </div>
  );
}
