import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { MemberList } from "@/components/features/settings/member-list";

export const metadata: Metadata = { title: "Members" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function MembersPage({ searchParams }: PageProps) {
  await requirePageSession("/settings/members", await searchParams);
  return <MemberList />;
}
