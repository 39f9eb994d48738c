import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { WorkflowList } from "@/components/features/workflows/workflow-list";

export const metadata: Metadata = { title: "Workflows" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function WorkflowsPage({ searchParams }: PageProps) {
  await requirePageSession("/workflows", await searchParams);
  return <WorkflowList />;
}
