import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { titleOfWorkflow } from "#lib/api/web/page-titles";
import { VersionPage } from "@/components/features/publish/version-page";

interface PageProps {
  params: Promise<{ workflowId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: `Versions of ${await titleOfWorkflow((await params).workflowId)}` };
}

export default async function VersionsPage({ params, searchParams }: PageProps) {
  const { workflowId } = await params;
  await requirePageSession(`/workflows/${workflowId}/versions`, await searchParams);
  return <VersionPage workflowId={workflowId} />;
}
