import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { findPageEnrollment, findPageSsoService, returnPathOf } from "#lib/api/auth/page-session";
import { ssoPath } from "#lib/contract/account/sso-path";
import { SsoCard } from "@/components/features/sso/sso-card";

export const metadata: Metadata = { title: "Single sign-on required" };

interface SsoPageProps {
  searchParams: Promise<Partial<Record<"callbackUrl" | "workspace", string | string[]>>>;
}

/** Leads to the provider that a workspace requires, and then to the page that the user wanted. */
export default async function SsoPage({ searchParams }: SsoPageProps) {
  const { callbackUrl, workspace } = await searchParams;
  const returnTo = returnPathOf(callbackUrl);
  const workspaceId = [workspace].flat()[0] ?? null;
  const found = await findPageEnrollment(workspaceId);
  if (!found) redirect(`/sign-in?callbackUrl=${encodeURIComponent(ssoPath({ workspaceId, returnTo }))}`);
  const { session, missing, isWayBackOpen } = found;
  if (missing !== "sso") redirect(returnTo);
  const { workspace: wanted, user, role } = session;
  return (
    <SsoCard
      workspace={wanted}
      email={user.email}
      returnTo={returnTo}
      service={await findPageSsoService(wanted.workspace_id)}
      wayBack={role === "owner" ? (isWayBackOpen ? "open" : "closed") : null}
    />
  );
}
