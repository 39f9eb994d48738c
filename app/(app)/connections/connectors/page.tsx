import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { ConnectorList } from "@/components/features/connectors/connector-list";

export const metadata: Metadata = { title: "Connectors" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ConnectorsPage({ searchParams }: PageProps) {
  await requirePageSession("/connections/connectors", await searchParams);
  return <ConnectorList />;
}
