import type { Metadata } from "next";
import { redirect } from "next/navigation";
import {
  findPageLink,
  findPageSession,
  findPageSignUpMode,
  hasPagePasskeys,
  listPageSignInServices,
  returnPathOf,
} from "#lib/api/auth/page-session";
import { SignInForm } from "@/components/features/accounts/sign-in-form";

export const metadata: Metadata = { title: "Sign in", referrer: "no-referrer" };

interface SignInPageProps {
  searchParams: Promise<Partial<Record<"callbackUrl" | "error" | "link" | "ticket", string | string[]>>>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { callbackUrl, error, link, ticket } = await searchParams;
  const returnTo = returnPathOf(callbackUrl);
  const [session, { mode }, found] = await Promise.all([
    findPageSession(),
    findPageSignUpMode(null),
    findPageLink(link),
  ]);
  // A sign-in that another service sent here continues in spite of an older session: the page that the session would
  // open may require that service, and lead back to it.
  const isUnderway = ticket !== undefined || link !== undefined || error !== undefined;
  if (session && !isUnderway) redirect(returnTo);
  if (mode === "owner") redirect("/signup");
  return (
    <SignInForm
      returnTo={returnTo}
      canSignUp={mode === "open"}
      initialError={[error].flat()[0] ?? null}
      ticket={[ticket].flat()[0] ?? null}
      hasPasskeys={hasPagePasskeys()}
      services={listPageSignInServices()}
      {...(found === null ? {} : { link: found })}
    />
  );
}
