"use client";

import { useState } from "react";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { AuthCard } from "@/components/features/accounts/auth-card";
import { enterWorkspace } from "@/components/shell/enter-workspace";
import { Button } from "@/components/ui/button";

interface JoinCardProps {
  invite: string;
  /** The address the invite is for. */
  email: string;
  workspaceName: string;
  /** Who is signed in. */
  signedInAs: string;
}

/** An invite, opened by somebody who is signed in: for them, or for somebody else. */
export function JoinCard({ invite, email, workspaceName, signedInAs }: JoinCardProps) {
  return (
    <AuthCard title={`Join ${workspaceName}`}>
      {email === signedInAs ? (
        <Acceptance invite={invite} email={email} />
      ) : (
        <OtherAccount email={email} signedInAs={signedInAs} />
      )}
    </AuthCard>
  );
}

function Acceptance({ invite, email }: Pick<JoinCardProps, "invite" | "email">) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  async function join() {
    setIsBusy(true);
    setError(null);
    try {
      const { workspace_id: workspaceId } = await callOperation("accept_invite", { invite });
      await enterWorkspace(workspaceId);
    } catch (thrown) {
      setIsBusy(false);
      setError(thrown instanceof ClientError ? thrown.message : "Joining did not work. Try again.");
    }
  }
  return (
    <>
      <p className="mt-2 text-text-2">You are signed in as {email}. Your other workspaces stay as they are.</p>
      {error === null ? null : (
        <p role="alert" className="mt-4 rounded-2 bg-err-bg px-3 py-2 text-err">
          {error}
        </p>
      )}
      <Button variant="primary" isBusy={isBusy} className="mt-5 w-full" onClick={() => void join()}>
        Join workspace
      </Button>
    </>
  );
}

function OtherAccount({ email, signedInAs }: Pick<JoinCardProps, "email" | "signedInAs">) {
  const [isBusy, setIsBusy] = useState(false);
  async function changeAccount() {
    setIsBusy(true);
    const { signOut } = await import("next-auth/react");
    // Back to this invite, which then asks for the other account.
    await signOut({ callbackUrl: window.location.href });
  }
  return (
    <>
      <p className="mt-2 text-text-2 [overflow-wrap:anywhere]">
        This invite is for {email}, and you are signed in as {signedInAs}.
      </p>
      <Button variant="primary" isBusy={isBusy} className="mt-5 w-full" onClick={() => void changeAccount()}>
        Sign out and go on
      </Button>
    </>
  );
}
