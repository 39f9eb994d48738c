"use client";

import { Hand } from "lucide-react";
import { lazy, Suspense } from "react";
import type { ApprovalObject } from "#lib/contract/approval/approval";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatInstant } from "#lib/support/format/format-moment";
import { describeOutcome } from "@/components/features/approvals/describe-outcome";
import { useHasRole } from "@/components/shell/session-context";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { useNow } from "@/components/words/use-now";

const DecisionForm = lazy(() =>
  import("@/components/features/approvals/decision-form").then((m) => ({ default: m.DecisionForm })),
);

interface ApprovalCardProps {
  approval: ApprovalObject;
  runId: string;
}

/** Shows the question, its deadline and the decision, or who decided and when. */
export function ApprovalCard({ approval, runId }: ApprovalCardProps) {
  if (approval.status === "pending") return <PendingApproval approval={approval} runId={runId} />;
  return (
    <div className="rounded-3 border border-border px-3 py-2.5">
      <p className="font-medium">{describeOutcome(approval)}</p>
      {approval.decided_at === null ? null : (
        <p className="text-dense text-text-3">{formatInstant(approval.decided_at)}</p>
      )}
      {approval.comment === null ? null : (
        <p className="mt-1 whitespace-pre-wrap text-text-2 [overflow-wrap:anywhere]">{approval.comment}</p>
      )}
    </div>
  );
}

function PendingApproval({ approval, runId }: ApprovalCardProps) {
  const now = useNow(true);
  const canDecide = useHasRole("approver");
  const leftMs = Date.parse(approval.expires_at) - now;
  return (
    <div className="overflow-hidden rounded-3 border border-border">
      <div className="flex gap-2.5 bg-wait-bg px-3 py-2.5">
        <Hand aria-hidden className="mt-0.5 size-4 shrink-0 text-wait" />
        <div className="min-w-0">
          <p className="font-semibold text-wait">Waiting for a person to approve</p>
          {approval.message === null ? null : (
            <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{approval.message}</p>
          )}
          <p className={approval.message === null ? "" : "mt-1.5 text-text-2"}>
            {leftMs > 0
              ? `The run waits for a decision. The request expires in ${formatDuration(leftMs)}.`
              : "The request has expired."}
          </p>
        </div>
      </div>
      <div className="p-3">
        {canDecide ? (
          <Suspense fallback={<Skeleton className="h-32 w-full" />}>
            <DecisionForm runId={runId} approvalId={approval.id} />
          </Suspense>
        ) : (
          <p className="text-text-2">You need the approver role to decide.</p>
        )}
      </div>
    </div>
  );
}
