"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { ApprovalObject, Decision } from "#lib/contract/approval";
import { isCancelled, type RunObject } from "#lib/contract/run";
import { ClientError } from "@/components/api/client-error";
import { invalidateOperations, useOperationMutation } from "@/components/api/operation-hooks";
import { describeOutcome } from "@/components/features/approvals/describe-outcome";
import { useSession } from "@/components/shell/session-context";
import { toast } from "@/components/ui/toast";
import { describeSince } from "@/components/words/format-time";

interface DecisionOptions {
  runId: string;
  approvalId: string;
  onDecided?: () => void;
}

const READERS = ["get_run_status", "list_runs", "list_approvals", "get_approval", "count_approvals"] as const;

/**
 * Sends one decision. Whoever comes second is told who was first: where both say the same the answer shows the other's
 * decision, where they differ it is refused and names it.
 */
export function useDecision({ runId, approvalId, onDecided }: DecisionOptions) {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const mutation = useOperationMutation("approve_run", {
    invalidates: READERS,
    onSuccess: (run, { decision }) => {
      const other = decidedByOther(run, approvalId, user.user_id);
      if (other !== null) toast(`${other} before you. Nothing more was done.`);
      else toast(decision === "rejected" ? rejectedWords(run) : "Approved. The run goes on.");
      onDecided?.();
    },
  });
  return {
    chosen: mutation.isPending ? (mutation.variables.decision ?? null) : null,
    isPending: mutation.isPending,
    refusal: mutation.error === null ? null : describeRefusal(mutation.error),
    decide: (decision: Decision, comment: string) => {
      const text = comment.trim();
      const said = text === "" ? {} : { comment: text };
      // The form may be gone by the time the refusal comes: the other's decision reaches the page as well.
      mutation.mutateAsync({ run_id: runId, approval_id: approvalId, decision, ...said }).catch((error: Error) => {
        toast(describeRefusal(error));
        return invalidateOperations(queryClient, READERS);
      });
    },
  };
}

function decidedByOther(run: RunObject, approvalId: string, userId: string): string | null {
  const { approval } = run;
  if (approval?.id !== approvalId || approval.decided_by?.id === userId) return null;
  return describeOutcome(approval);
}

function rejectedWords(run: RunObject): string {
  return isCancelled(run.status) ? "Rejected. The run is cancelled." : "Rejected. The run goes on along that branch.";
}

/** A refusal that names another's decision in its details says who it was and how long ago. */
function describeRefusal(error: Error): string {
  if (!(error instanceof ClientError) || error.code !== "RUN_NOT_WAITING" || !isOutcome(error.details)) {
    return error.message;
  }
  const { decided_at: at } = error.details;
  const since = at === null ? "" : `, ${describeSince(Date.parse(at), Date.now())}`;
  return `${describeOutcome(error.details)}${since}. Your decision was not applied.`;
}

function isOutcome(details: unknown): details is Pick<ApprovalObject, "status" | "decided_by" | "decided_at"> {
  return typeof details === "object" && details !== null && "status" in details && "decided_by" in details;
}
