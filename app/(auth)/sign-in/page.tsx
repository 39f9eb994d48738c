import type { Metadata } from "next";
import { redirect } from "next/navigation";
import {
  findPageLink,
  findPageSession,
  findPageSignUpMode,
  listPageSignInProviders,
  returnPathOf,
} from "#lib/api/auth/page-session";
import { SignInForm } from "@/components/features/accounts/sign-in-form";

export const metadata: Metadata = { title: "Sign in" };

interface SignInPageProps {
  searchParams: Promise<{ callbackUrl?: string | string[]; error?: string | string[]; link?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { callbackUrl, error, link } = await searchParams;
  const returnTo = returnPathOf(callbackUrl);
  const [session, { mode }, found] = await Promise.all([
    findPageSession(),
    findPageSignUpMode(null),
    findPageLink(link),
  ]);
  if (session) redirect(returnTo);
  if (mode === "owner") redirect("/signup");
  return (
    <SignInForm
      returnTo={returnTo}
      canSignUp={mode === "open"}
      initialError={[error].flat()[0] ?? null}
      providers={listPageSignInProviders()}
      {...(found === null ? {} : { link: found })}
    />
  );
}
