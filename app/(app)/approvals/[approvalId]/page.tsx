import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { ApprovalPage } from "@/components/features/approvals/approval-page";

export const metadata: Metadata = { title: "Approval request" };

interface PageProps {
  params: Promise<{ approvalId: string }>;
}

/** decisions, Approvals: the link only shows the request, whatever opens it; only the button on the page decides. */
export default async function DecisionPage({ params }: PageProps) {
  const { approvalId } = await params;
  await requirePageSession(`/approvals/${approvalId}`);
  return <ApprovalPage approvalId={approvalId} />;
}
