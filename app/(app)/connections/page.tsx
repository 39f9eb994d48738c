import type { Metadata } from "next";
import { requirePageSession } from "#lib/surfaces/page-session";
import { ConnectionList } from "@/components/connections/connection-list";

export const metadata: Metadata = { title: "Connections" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ConnectionsPage({ searchParams }: PageProps) {
  await requirePageSession("/connections", await searchParams);
  return <ConnectionList />;
}
