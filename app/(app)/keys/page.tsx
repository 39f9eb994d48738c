import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { KeyList } from "@/components/features/keys/key-list";

export const metadata: Metadata = { title: "API keys" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function KeysPage({ searchParams }: PageProps) {
  await requirePageSession("/keys", await searchParams);
  return <KeyList />;
}
