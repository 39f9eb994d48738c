"use client";

import { ApprovalPanel } from "@/components/features/approvals/approval-panel";
import { PageHeader } from "@/components/ui/lists/page-header";

const TRAIL = [{ label: "Approvals", href: "/approvals" }];

/** The page that mail links open: one request. Only a button press decides it. */
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
