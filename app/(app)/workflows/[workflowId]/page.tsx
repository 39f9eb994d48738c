import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { WorkflowPage } from "@/components/pages/workflow/workflow-page";

export const metadata: Metadata = { title: "Workflow" };

interface PageProps {
  params: Promise<{ workflowId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const { workflowId } = await params;
  await requirePageSession(`/workflows/${workflowId}`, await searchParams);
  return <WorkflowPage workflowId={workflowId} />;
}
