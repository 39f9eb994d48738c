import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { titleOfWorkflow } from "#lib/api/web/page-titles";
import { WorkflowPage } from "@/components/pages/workflow/workflow-page";

interface PageProps {
  params: Promise<{ workflowId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: await titleOfWorkflow((await params).workflowId) };
}

export default async function Page({ params, searchParams }: PageProps) {
  const { workflowId } = await params;
  await requirePageSession(`/workflows/${workflowId}`, await searchParams);
  return <WorkflowPage workflowId={workflowId} />;
}
