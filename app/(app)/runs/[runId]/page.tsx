import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { titleOfRun } from "#lib/api/web/page-titles";
import { RunDetail } from "@/components/pages/run/run-detail";

interface PageProps {
  params: Promise<{ runId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: await titleOfRun((await params).runId) };
}

export default async function RunPage({ params, searchParams }: PageProps) {
  const { runId } = await params;
  await requirePageSession(`/runs/${runId}`, await searchParams);
  return <RunDetail runId={runId} />;
}
