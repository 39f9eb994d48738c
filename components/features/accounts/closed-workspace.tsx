"use client";

import { useState } from "react";
import { ClientError } from "@/components/api/client-error";
import { useOperation } from "@/components/api/operation-hooks";
import { enterWorkspace } from "@/components/shell/enter-workspace";
import { Button } from "@/components/ui/button";

/** Opens a workspace in this browser, or explains why that failed. */
export function useEntrance() {
  const [error, setError] = useState<string | null>(null);
  const enter = (workspaceId: string, path: string) => {
    setError(null);
    enterWorkspace(workspaceId, path).catch((thrown: unknown) =>
      setError(thrown instanceof ClientError ? thrown.message : "Couldn't open the workspace. Try again."),
    );
  };
  return { enter, error };
}

/** The workspaces that a user can open instead of a closed one. */
export function OtherWorkspaces({ than, onChoose }: { than: string; onChoose: (workspaceId: string) => void }) {
  const { data } = useOperation("list_workspaces", {});
  const others = data?.data.filter(({ workspace_id: id }) => id !== than) ?? [];
  if (others.length === 0) return null;
  return (
    <div className="mt-6 border-t border-border pt-4">
      <p className="text-text-2">Or open another workspace:</p>
      <ul className="mt-2 flex flex-wrap gap-2">
        {others.map(({ workspace_id: id, name }) => (
          <li key={id}>
            <Button size="sm" onClick={() => onChoose(id)}>
              {name}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function SignOut({ email }: { email: string }) {
  async function signOutHere() {
    const { signOut } = await import("next-auth/react");
    await signOut({ callbackUrl: "/sign-in" });
  }
  return (
    <>
      You're signed in as {email}.{" "}
      <button type="button" className="link" onClick={() => void signOutHere()}>
        Sign out
      </button>
    </>
  );
}
