"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { ApprovalObject, Decision } from "#lib/contract/approval/approval";
import { isCancelled, type RunObject } from "#lib/contract/run/run";
import { approveRunInput } from "#lib/contract/run/run-inputs";
import { formatRelative } from "#lib/support/format/format-relative";
import { ClientError } from "@/components/api/client-error";
import { describeFailure } from "@/components/api/form-faults";
import { invalidateOperations } from "@/components/api/operation-hooks";
import { useOperationForm } from "@/components/api/use-operation-form";
import { describeOutcome } from "@/components/features/approvals/describe-outcome";
import { useSession } from "@/components/shell/session-context";
import { toast } from "@/components/ui/toast";

interface DecisionOptions {
  runId: string;
  approvalId: string;
  onDecided?: () => void;
}

const READERS = ["get_run_status", "list_runs", "list_approvals", "get_approval", "count_approvals"] as const;

/**
 * Sends one decision with a comment. If two people decide, the second learns who decided first: the same decision
 * returns the earlier one, a different decision is refused.
 */
export function useDecision({ runId, approvalId, onDecided }: DecisionOptions) {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const form = useOperationForm("approve_run", {
    schema: approveRunInput,
    start: { decision: "approved" as Decision, comment: "" },
    toInput: ({ decision, comment }) => {
      const text = comment.trim();
      return { run_id: runId, approval_id: approvalId, decision, ...(text === "" ? {} : { comment: text }) };
    },
    invalidates: READERS,
    onSuccess: (run, { decision }) => {
      const other = decidedByOther(run, approvalId, user.user_id);
      if (other !== null) toast(`${other}. Your decision wasn't applied.`);
      else toast(decision === "rejected" ? rejectedWords(run) : approvedWords(run, approvalId));
      onDecided?.();
    },
    onFailure: (error) => {
      // The form may be unmounted by the time the refusal arrives: the page then shows the other person's decision.
      toast(describeRefusal(error));
      void invalidateOperations(queryClient, READERS);
    },
  });
  return {
    form,
    chosen: form.isBusy ? form.value("decision") : null,
    refusal: form.general !== null && form.failure !== null ? describeRefusal(form.failure) : form.general,
    decide: (decision: Decision) => {
      form.set("decision", decision);
      void form.submit();
    },
  };
}

function decidedByOther(run: RunObject, approvalId: string, userId: string): string | null {
  const { approval } = run;
  if (approval?.id !== approvalId || approval.decided_by?.id === userId) return null;
  return describeOutcome(approval);
}

/** An action that requires approval waits for it before its run starts; an approval step waits during the run. */
function approvedWords({ approval }: RunObject, approvalId: string): string {
  return approval?.id === approvalId && approval.kind === "policy"
    ? "Approved. The run starts."
    : "Approved. The run continues.";
}

function rejectedWords(run: RunObject): string {
  return isCancelled(run.status)
    ? "Rejected. The run is cancelled."
    : "Rejected. The run continues on the rejected branch.";
}

/** Describes who decided and how long ago, from a refusal that names another decision in its details. */
function describeRefusal(error: Error): string {
  if (!(error instanceof ClientError) || error.code !== "RUN_NOT_WAITING" || !isOutcome(error.details)) {
    return describeFailure(error);
  }
  const { decided_at: at } = error.details;
  const since = at === null ? "" : `, ${formatRelative(Date.parse(at), Date.now())}`;
  return `${describeOutcome(error.details)}${since}. Your decision wasn't applied.`;
}

function isOutcome(details: unknown): details is Pick<ApprovalObject, "status" | "decided_by" | "decided_at"> {
  return typeof details === "object" && details !== null && "status" in details && "decided_by" in details;
}
