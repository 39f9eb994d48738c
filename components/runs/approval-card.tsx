"use client";

import { Hand } from "lucide-react";
import type { ApprovalObject } from "#lib/contract/approval";
import { useNow } from "@/components/runs/use-now";
import { useSession } from "@/components/shell/session-context";
import { CodeBlock } from "@/components/ui/code-block";
import { describeDuration, describeInstant } from "@/components/ui/format-time";

const DECIDED_WORDS: Record<Exclude<ApprovalObject["status"], "pending">, string> = {
  approved: "Approved",
  rejected: "Rejected",
  expired: "Nobody decided in time",
  cancelled: "No longer needed",
};

/** Who has to decide, until when, and how; or who decided. */
export function ApprovalCard({ approval, runId }: { approval: ApprovalObject; runId: string }) {
  const isPending = approval.status === "pending";
  const now = useNow(isPending);
  const { base_url: baseUrl } = useSession();
  if (approval.status !== "pending") {
    const by = approval.decided_by?.name ?? null;
    return (
      <div className="rounded-3 border border-border px-3 py-2.5">
        <p className="font-medium">
          {DECIDED_WORDS[approval.status]}
          {by === null ? "" : ` by ${by}`}
        </p>
        {approval.decided_at === null ? null : (
          <p className="text-dense text-text-3">{describeInstant(approval.decided_at)}</p>
        )}
        {approval.comment === null ? null : <p className="mt-1 text-text-2">{approval.comment}</p>}
      </div>
    );
  }
  const leftMs = Date.parse(approval.expires_at) - now;
  return (
    <div className="overflow-hidden rounded-3 border border-border">
      <div className="flex gap-2.5 bg-wait-bg px-3 py-2.5">
        <Hand aria-hidden className="mt-0.5 size-4 shrink-0 text-wait" />
        <div>
          <p className="font-semibold text-wait">Waiting for a person to approve</p>
          <p suppressHydrationWarning>
            {leftMs > 0 ? `Expires in ${describeDuration(leftMs)}.` : "The time is up."}
            {approval.message === null ? "" : ` ${approval.message}`}
          </p>
        </div>
      </div>
      <div className="flex flex-col gap-2 p-3">
        <p className="text-text-2">
          Decide with a key that has the scope <code className="font-mono text-dense">approvals:decide</code>, or with
          the MCP tool <code className="font-mono text-dense">approve_run</code>.
        </p>
        <CodeBlock
          label="Deciding"
          snippets={[
            { label: "Approve", code: curlDecide(baseUrl, runId, "approved") },
            { label: "Reject", code: curlDecide(baseUrl, runId, "rejected") },
          ]}
        />
      </div>
    </div>
  );
}

function curlDecide(baseUrl: string, runId: string, decision: "approved" | "rejected"): string {
  return [
    `curl -sS -X POST "${baseUrl}/api/v1/runtime/runs/${runId}/approve" \\`,
    `  -H "Authorization: Bearer $SVC_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"decision":"${decision}"}'`,
  ].join("\n");
}
