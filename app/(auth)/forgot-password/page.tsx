import type { Metadata } from "next";
import { canPageMail } from "#lib/api/auth/page-session";
import { ForgotPasswordCard } from "@/components/features/accounts/password-reset/forgot-password-card";

export const metadata: Metadata = { title: "Reset your password" };

// Whether the instance can send email is read when the page is requested, not when it is built.
export const dynamic = "force-dynamic";

export default function ForgotPasswordPage() {
  return <ForgotPasswordCard canMail={canPageMail()} />;
}
