import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { VersionPage } from "@/components/features/publish/version-page";

export const metadata: Metadata = { title: "Versions" };

interface PageProps {
  params: Promise<{ workflowId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function VersionsPage({ params, searchParams }: PageProps) {
  const { workflowId } = await params;
  await requirePageSession(`/workflows/${workflowId}/versions`, await searchParams);
  return <VersionPage workflowId={workflowId} />;
}
