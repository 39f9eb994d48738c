import type { Metadata } from "next";
import { requirePageSession } from "#lib/api/auth/page-session";
import { AccountSettings } from "@/components/features/settings/account-settings";

export const metadata: Metadata = { title: "Your account" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function AccountPage({ searchParams }: PageProps) {
  await requirePageSession("/settings/account", await searchParams);
  return <AccountSettings />;
}
