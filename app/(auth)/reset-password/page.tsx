import type { Metadata } from "next";
import { isPageResetLinkOpen } from "#lib/api/auth/page-session";
import { ClosedResetCard } from "@/components/features/accounts/password-reset/closed-reset-card";
import { NewPasswordCard } from "@/components/features/accounts/password-reset/new-password-card";

export const metadata: Metadata = { title: "Choose a new password", referrer: "no-referrer" };

interface ResetPasswordPageProps {
  searchParams: Promise<{ token?: string | string[] }>;
}

export default async function ResetPasswordPage({ searchParams }: ResetPasswordPageProps) {
  const token = [(await searchParams).token].flat()[0] ?? "";
  return (await isPageResetLinkOpen(token)) ? <NewPasswordCard token={token} /> : <ClosedResetCard />;
}
