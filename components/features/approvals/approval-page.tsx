"use client";

import { ApprovalPanel } from "@/components/features/approvals/approval-panel";
import { PageHeader } from "@/components/ui/lists/page-header";

const TRAIL = [{ label: "Approvals", href: "/approvals" }];

/** Where the link of a mail leads: one request, and a decision only by a button. */
export function ApprovalPage({ approvalId }: { approvalId: string }) {
  return (
    <>
      <PageHeader title="Approval request" trail={TRAIL} />
      <div className="w-full max-w-[860px]">
        <ApprovalPanel approvalId={approvalId} hasShortcuts />
      </div>
    </>
  );
}
