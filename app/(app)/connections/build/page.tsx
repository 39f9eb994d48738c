import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { ConnectorBuilder } from "@/components/features/connectors/connector-builder";

export const metadata: Metadata = { title: "Build a connector" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function BuildConnectorPage({ searchParams }: PageProps) {
  const query = await searchParams;
  await requirePageSession("/connections/build", query);
  return <ConnectorBuilder />;
}
