"use client";

import { useState } from "react";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { AuthCard } from "@/components/features/accounts/auth-card";
import { enterWorkspace } from "@/components/shell/enter-workspace";
import { Button } from "@/components/ui/button";

interface JoinCardProps {
  invite: string;
  /** The address that the invite is for. */
  email: string;
  workspaceName: string;
  /** The address of the user who is signed in. */
  signedInAs: string;
}

/** An invite that a signed-in user opened: it is either for them or for another address. */
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
      setError(thrown instanceof ClientError ? thrown.message : "Couldn't join the workspace. Try again.");
    }
  }
  return (
    <>
      <p className="mt-2 text-text-2">You're signed in as {email}. Your other workspaces don't change.</p>
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
    // Returns to this invite, which then asks for the other account.
    await signOut({ callbackUrl: window.location.href });
  }
  return (
    <>
      <p className="mt-2 text-text-2 [overflow-wrap:anywhere]">
        This invite is for {email}, but you're signed in as {signedInAs}.
      </p>
      <Button variant="primary" isBusy={isBusy} className="mt-5 w-full" onClick={() => void changeAccount()}>
        Sign out and continue
      </Button>
    </>
  );
}
