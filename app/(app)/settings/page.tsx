import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { WorkspaceSettingsPage } from "@/components/features/settings/workspace-settings";

export const metadata: Metadata = { title: "Settings" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SettingsPage({ searchParams }: PageProps) {
  await requirePageSession("/settings", await searchParams);
  return <WorkspaceSettingsPage />;
}
