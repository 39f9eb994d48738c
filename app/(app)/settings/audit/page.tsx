import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { AuditLog } from "@/components/features/settings/audit-log";

export const metadata: Metadata = { title: "Audit log" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function AuditPage({ searchParams }: PageProps) {
  await requirePageSession("/settings/audit", await searchParams);
  return <AuditLog />;
}
