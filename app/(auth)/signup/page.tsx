import type { Metadata } from "next";
import { redirect } from "next/navigation";
import {
  findPageSession,
  findPageSignUpMode,
  hasPagePasskeys,
  listPageSignInServices,
} from "#lib/api/auth/page-session";
import { JoinCard } from "@/components/features/accounts/join-card";
import { SignInForm } from "@/components/features/accounts/sign-in-form";
import { SignUpClosed } from "@/components/features/accounts/sign-up-closed";
import { SignUpForm } from "@/components/features/accounts/sign-up-form";

export const metadata: Metadata = { title: "Create an account", referrer: "no-referrer" };

interface SignUpPageProps {
  searchParams: Promise<{ invite?: string | string[] }>;
}

export default async function SignUpPage({ searchParams }: SignUpPageProps) {
  const token = [(await searchParams).invite].flat()[0] ?? null;
  const [session, found] = await Promise.all([findPageSession(), findPageSignUpMode(token)]);
  const { mode, email, workspaceName, workspaceId, hasAccount } = found;
  const services = listPageSignInServices();
  if (token === null || mode === "owner") {
    if (session) redirect("/workflows");
    if (mode === "closed") return <SignUpClosed hasInvite={false} isSignedIn={false} />;
    return <SignUpForm mode={mode} invite={null} email={null} workspaceName={null} services={services} />;
  }
  if (mode !== "invite" || email === null || workspaceName === null || workspaceId === null) {
    return <SignUpClosed hasInvite isSignedIn={session !== null} />;
  }
  if (session) {
    return <JoinCard invite={token} email={email} workspaceName={workspaceName} signedInAs={session.user.email} />;
  }
  if (hasAccount) {
    const invite = { token, email, workspaceId, workspaceName };
    const sign = { returnTo: "/workflows", canSignUp: false, initialError: null };
    return <SignInForm {...sign} services={services} invite={invite} hasPasskeys={hasPagePasskeys()} />;
  }
  return <SignUpForm mode="invite" invite={token} email={email} workspaceName={workspaceName} services={services} />;
}
