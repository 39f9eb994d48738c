import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { ActionList } from "@/components/features/actions/action-list";

export const metadata: Metadata = { title: "Actions" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ActionsPage({ searchParams }: PageProps) {
  await requirePageSession("/actions", await searchParams);
  return <ActionList />;
}
