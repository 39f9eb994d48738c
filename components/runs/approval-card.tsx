"use client";

import { Check, Hand, X } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import type { ApprovalObject, Decision } from "#lib/contract/approval";
import { LIMITS } from "#lib/contract/limits";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { useNow } from "@/components/runs/use-now";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { describeDuration, describeInstant } from "@/components/ui/format-time";
import { Textarea } from "@/components/ui/textarea";

const DECIDED_WORDS: Record<Exclude<ApprovalObject["status"], "pending">, string> = {
  approved: "Approved",
  rejected: "Rejected",
  expired: "Nobody decided in time",
  cancelled: "No longer needed",
};

interface ApprovalCardProps {
  approval: ApprovalObject;
  runId: string;
}

/** What is waited for, until when, and the decision; or who decided, and when. */
export function ApprovalCard({ approval, runId }: ApprovalCardProps) {
  if (approval.status === "pending") return <PendingApproval approval={approval} runId={runId} />;
  return (
    <div className="rounded-3 border border-border px-3 py-2.5">
      <p className="font-medium">
        {DECIDED_WORDS[approval.status]}
        {approval.decided_by?.name ? ` by ${approval.decided_by.name}` : ""}
      </p>
      {approval.decided_at === null ? null : (
        <p className="text-dense text-text-3">{describeInstant(approval.decided_at)}</p>
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
          {approval.message === null ? null : <p>{approval.message}</p>}
          <p>
            {leftMs > 0
              ? `Nothing goes on before that. The request expires in ${describeDuration(leftMs)}.`
              : "The time is up."}
          </p>
        </div>
      </div>
      <div className="p-3">
        {canDecide ? (
          <DecisionForm approval={approval} runId={runId} />
        ) : (
          <p className="text-text-2">Deciding needs the approver role.</p>
        )}
      </div>
    </div>
  );
}

function DecisionForm({ approval, runId }: ApprovalCardProps) {
  const [comment, setComment] = useState("");
  const decide = useOperationMutation("approve_run", {
    invalidates: ["get_run_status", "list_runs"],
    onSuccess: (_, { decision }) =>
      toast(decision === "rejected" ? "Run rejected. It is cancelled." : "Run approved. It goes on."),
  });
  const chosen = decide.isPending ? decide.variables.decision : null;

  function submit(decision: Decision) {
    const text = comment.trim();
    decide.mutate({ run_id: runId, approval_id: approval.id, decision, ...(text === "" ? {} : { comment: text }) });
  }

  return (
    <div className="flex flex-col gap-3">
      <Field label="Comment" hint="optional" error={decide.error?.message}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={LIMITS.commentCharacters}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          variant="danger"
          isBusy={chosen === "rejected"}
          disabled={decide.isPending}
          onClick={() => submit("rejected")}
        >
          <X aria-hidden className="size-3.5" />
          Reject
        </Button>
        <Button
          variant="primary"
          isBusy={chosen === "approved"}
          disabled={decide.isPending}
          onClick={() => submit("approved")}
        >
          <Check aria-hidden className="size-3.5" />
          Approve
        </Button>
      </div>
    </div>
  );
}
