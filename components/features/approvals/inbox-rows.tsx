"use client";

import { clsx } from "clsx";
import type { MouseEvent } from "react";
import type { ApprovalRequestObject } from "#lib/contract/approval/approval";
import { describeOutcome } from "@/components/features/approvals/describe-outcome";
import { describeRequester } from "@/components/features/approvals/describe-requester";
import { ExpiryCountdown } from "@/components/features/approvals/expiry-countdown";
import { OutcomeChip } from "@/components/features/approvals/outcome-chip";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/words/relative-time";

/** The width of Tailwind's `lg:`: from here on the request is shown next to the list. */
const BESIDE = "(min-width: 1024px)";

interface InboxRowsProps {
  approvals: readonly ApprovalRequestObject[];
  selectedId: string | null;
  onSelect: (approvalId: string) => void;
}

/**
 * Lists the requests as links to their own pages. If there is room for both, a click shows the request next to the
 * list.
 */
export function InboxRows({ approvals, selectedId, onSelect }: InboxRowsProps) {
  function select(event: MouseEvent, approvalId: string) {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey);
    if (!isPlain || !window.matchMedia(BESIDE).matches) return;
    event.preventDefault();
    onSelect(approvalId);
  }
  return (
    <ul aria-label="Requests" className="flex flex-col">
      {approvals.map((approval) => (
        <li key={approval.id} className="border-b border-border">
          <Link
            href={`/approvals/${approval.id}`}
            aria-current={approval.id === selectedId ? "true" : undefined}
            onClick={(event) => select(event, approval.id)}
            className={clsx(
              "flex flex-col gap-1 px-4 py-3 -outline-offset-2",
              approval.id === selectedId ? "max-lg:hover:bg-sunken lg:bg-accent-weak" : "hover:bg-sunken",
            )}
          >
            <Row approval={approval} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Row({ approval }: { approval: ApprovalRequestObject }) {
  return (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate font-medium">{approval.workflow_name}</span>
        <RelativeTime at={approval.requested_at} className="shrink-0 text-dense text-text-3" />
      </span>
      {approval.message === null ? null : (
        <span className="line-clamp-2 text-text-2 [overflow-wrap:anywhere]">{approval.message}</span>
      )}
      <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-dense">
        <span className="min-w-0 truncate text-text-3">
          {approval.status === "pending" ? describeRequester(approval) : describeOutcome(approval)}
        </span>
        {approval.status === "pending" ? (
          <ExpiryCountdown expiresAt={approval.expires_at} />
        ) : (
          <OutcomeChip status={approval.status} />
        )}
      </span>
    </>
  );
}
