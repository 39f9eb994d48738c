import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { titleOfWorkflow } from "#lib/api/web/page-titles";
import { WorkflowRuns } from "@/components/pages/workflow/workflow-runs";

interface PageProps {
  params: Promise<{ workflowId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: `Runs of ${await titleOfWorkflow((await params).workflowId)}` };
}

export default async function Page({ params, searchParams }: PageProps) {
  const { workflowId } = await params;
  await requirePageSession(`/workflows/${workflowId}/runs`, await searchParams);
  return <WorkflowRuns workflowId={workflowId} />;
}
