import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { RunList } from "@/components/features/runs/list/run-list";

export const metadata: Metadata = { title: "Runs" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function RunsPage({ searchParams }: PageProps) {
  await requirePageSession("/runs", await searchParams);
  return <RunList />;
}
