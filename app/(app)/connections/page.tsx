import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { ConnectionList } from "@/components/features/connections/connection-list";

export const metadata: Metadata = { title: "Connections" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ConnectionsPage({ searchParams }: PageProps) {
  await requirePageSession("/connections", await searchParams);
  return <ConnectionList />;
}
