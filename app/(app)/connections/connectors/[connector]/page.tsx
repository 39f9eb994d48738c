import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { ConnectorDetail } from "@/components/features/connectors/connector-detail";

interface PageProps {
  params: Promise<{ connector: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: decodeURIComponent((await params).connector) };
}

export default async function ConnectorPage({ params, searchParams }: PageProps) {
  const { connector } = await params;
  await requirePageSession(`/connections/connectors/${connector}`, await searchParams);
  return <ConnectorDetail connector={decodeURIComponent(connector)} />;
}
