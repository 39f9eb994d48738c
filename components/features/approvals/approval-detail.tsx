"use client";

import type { ApprovalDetailObject } from "#lib/contract/approval/approval";
import { formatInstant } from "#lib/support/format/format-moment";
import { DecisionForm } from "@/components/features/approvals/decision-form";
import { describeOutcome } from "@/components/features/approvals/describe-outcome";
import { describeRequester } from "@/components/features/approvals/describe-requester";
import { ExpiryCountdown } from "@/components/features/approvals/expiry-countdown";
import { OutcomeChip } from "@/components/features/approvals/outcome-chip";
import { JsonView } from "@/components/features/json/json-view";
import { useHasRole } from "@/components/shell/session-context";
import { Link } from "@/components/ui/link";
import { Facts } from "@/components/ui/lists/facts";
import { RelativeTime } from "@/components/words/relative-time";
import { RUN_SOURCE_WORDS } from "@/components/words/run-sources";
import { shortId } from "@/components/words/short-id";

interface ApprovalDetailProps {
  approval: ApprovalDetailObject;
  onDecided?: () => void;
  hasShortcuts?: boolean;
}

/** Shows what a decision does, the input of the run, who requested it, and the decision. */
export function ApprovalDetail({ approval, onDecided, hasShortcuts = false }: ApprovalDetailProps) {
  const isPending = approval.status === "pending";
  return (
    <div className="flex flex-col gap-5 p-4 sm:p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="min-w-0 text-page font-semibold [overflow-wrap:anywhere]">{approval.workflow_name}</h2>
        <OutcomeChip status={approval.status} />
        {isPending ? <ExpiryCountdown expiresAt={approval.expires_at} /> : null}
      </div>
      {approval.message === null ? null : (
        <p className="rounded-3 bg-wait-bg px-3 py-2.5 whitespace-pre-wrap text-wait [overflow-wrap:anywhere]">
          {approval.message}
        </p>
      )}
      <Facts facts={factsOf(approval)} />
      <JsonView value={approval.input} label="input" />
      {isPending ? (
        <Decision approval={approval} onDecided={onDecided} hasShortcuts={hasShortcuts} />
      ) : (
        <Outcome approval={approval} />
      )}
    </div>
  );
}

function factsOf(approval: ApprovalDetailObject) {
  const slug = approval.action_slug;
  return [
    ...(slug === null
      ? []
      : [
          {
            label: "Action",
            value: (
              <Link href={`/actions/${slug}`} className="font-mono text-dense text-accent hover:underline">
                {slug}
              </Link>
            ),
          },
        ]),
    ...(approval.step_id === null ? [] : [{ label: "Step", value: approval.step_name ?? approval.step_id }]),
    { label: "Requested by", value: describeRequester(approval) },
    ...(approval.requested_by.type === "event" ? [] : [{ label: "Source", value: RUN_SOURCE_WORDS[approval.source] }]),
    { label: "Requested", value: <RelativeTime at={approval.requested_at} /> },
    {
      label: "Run",
      value: (
        <Link href={`/runs/${approval.run_id}`} className="font-mono text-dense text-accent hover:underline">
          {shortId(approval.run_id)}
        </Link>
      ),
    },
  ];
}

function Decision({ approval, onDecided, hasShortcuts }: ApprovalDetailProps) {
  const canDecide = useHasRole("approver");
  if (!canDecide) return <ReadOnly deciders={approval.deciders} />;
  return (
    <section aria-label="Decision" className="flex flex-col gap-3 rounded-3 border border-border p-3">
      <p className="text-text-2">{consequenceOf(approval)}</p>
      {approval.is_own_forbidden ? (
        <p className="text-warn">You started this run, so someone else has to approve it. You can reject it.</p>
      ) : null}
      <DecisionForm
        key={approval.id}
        runId={approval.run_id}
        approvalId={approval.id}
        {...(onDecided === undefined ? {} : { onDecided })}
        hasShortcuts={hasShortcuts ?? false}
      />
    </section>
  );
}

function consequenceOf({ kind, has_rejected_branch: hasBranch }: ApprovalDetailObject): string {
  const approved = kind === "policy" ? "Approving starts the run." : "Approving lets the run continue from this step.";
  const rejected = hasBranch ? "Rejecting continues on the rejected branch." : "Rejecting cancels the run.";
  return `${approved} ${rejected}`;
}

function ReadOnly({ deciders }: { deciders: readonly string[] }) {
  return (
    <p className="rounded-3 border border-border p-3 text-text-2">
      You need the approver role to decide.{" "}
      {deciders.length === 0 ? "No one in this workspace has it." : `These members can decide: ${deciders.join(", ")}.`}
    </p>
  );
}

function Outcome({ approval }: { approval: ApprovalDetailObject }) {
  return (
    <section aria-label="Decision" className="rounded-3 border border-border px-3 py-2.5">
      <p className="font-medium">{describeOutcome(approval)}</p>
      {approval.decided_at === null ? null : (
        <p className="text-dense text-text-3">{formatInstant(approval.decided_at)}</p>
      )}
      {approval.comment === null ? null : (
        <p className="mt-1 whitespace-pre-wrap text-text-2 [overflow-wrap:anywhere]">{approval.comment}</p>
      )}
    </section>
  );
}
