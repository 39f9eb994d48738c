import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { ApprovalInbox } from "@/components/features/approvals/approval-inbox";

export const metadata: Metadata = { title: "Approvals" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ApprovalsPage({ searchParams }: PageProps) {
  await requirePageSession("/approvals", await searchParams);
  return <ApprovalInbox />;
}
