import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { titleOfWorkflow } from "#lib/api/web/page-titles";
import { WorkflowSettings } from "@/components/pages/workflow/workflow-settings";

interface PageProps {
  params: Promise<{ workflowId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: `Settings of ${await titleOfWorkflow((await params).workflowId)}` };
}

export default async function Page({ params, searchParams }: PageProps) {
  const { workflowId } = await params;
  await requirePageSession(`/workflows/${workflowId}/settings`, await searchParams);
  return <WorkflowSettings workflowId={workflowId} />;
}
