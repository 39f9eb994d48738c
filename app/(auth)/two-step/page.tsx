import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { findPageEnrollment, returnPathOf } from "#lib/api/auth/page-session";
import { ssoPath } from "#lib/contract/account/sso-path";
import { twoStepPath } from "#lib/contract/account/two-step-path";
import { EnrollmentCard } from "@/components/features/two-step/enrollment-card";

export const metadata: Metadata = { title: "Set up two-step verification" };

interface TwoStepPageProps {
  searchParams: Promise<Partial<Record<"callbackUrl" | "workspace", string | string[]>>>;
}

/** Sets up what a workspace requires, and then opens the page that the user wanted. */
export default async function TwoStepPage({ searchParams }: TwoStepPageProps) {
  const { callbackUrl, workspace } = await searchParams;
  const returnTo = returnPathOf(callbackUrl);
  const workspaceId = [workspace].flat()[0] ?? null;
  const found = await findPageEnrollment(workspaceId);
  if (!found) redirect(`/sign-in?callbackUrl=${encodeURIComponent(twoStepPath({ workspaceId, returnTo }))}`);
  const { session, missing } = found;
  if (missing === "sso") redirect(ssoPath({ workspaceId, returnTo }));
  if (missing === null && workspaceId === null) redirect(returnTo);
  const { workspace: wanted, user } = session;
  return (
    <EnrollmentCard
      workspace={{ id: wanted.workspace_id, name: wanted.name }}
      email={user.email}
      returnTo={returnTo}
      isDone={missing === null}
    />
  );
}
