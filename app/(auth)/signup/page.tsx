import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { findPageSession, findPageSignUpMode } from "#lib/surfaces/page-session";
import { SignUpClosed } from "@/components/auth/sign-up-closed";
import { SignUpForm } from "@/components/auth/sign-up-form";

export const metadata: Metadata = { title: "Create an account" };

interface SignUpPageProps {
  searchParams: Promise<{ invite?: string | string[] }>;
}

export default async function SignUpPage({ searchParams }: SignUpPageProps) {
  const invite = [(await searchParams).invite].flat()[0] ?? null;
  const [session, { mode, email, workspaceName }] = await Promise.all([findPageSession(), findPageSignUpMode(invite)]);
  if (session && invite === null) redirect("/workflows");
  if (mode === "closed") return <SignUpClosed hasInvite={invite !== null} />;
  return (
    <SignUpForm mode={mode} invite={mode === "invite" ? invite : null} email={email} workspaceName={workspaceName} />
  );
}
