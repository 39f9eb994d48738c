"use client";

import { useOperation } from "@/components/api/operation-hooks";
import { AuthCard } from "@/components/features/accounts/auth-card";
import { OtherWorkspaces, SignOut, useEntrance } from "@/components/features/accounts/closed-workspace";
import { FactorButtons } from "@/components/features/two-step/two-step-section";
import { useTwoStep } from "@/components/features/two-step/use-two-step";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/forms/form-error";
import { QueryView } from "@/components/ui/lists/query-view";
import { Skeleton } from "@/components/ui/lists/skeleton";

interface EnrollmentCardProps {
  /** The workspace that requires two-step verification. */
  workspace: { id: string; name: string };
  /** The address of the user who is signed in. */
  email: string;
  /** The page to open afterwards. */
  returnTo: string;
  /** True if the user has a second factor by now. */
  isDone: boolean;
}

/** What a user sees instead of a workspace that requires two-step verification: how to get in, and where else to go. */
export function EnrollmentCard({ workspace, email, returnTo, isDone }: EnrollmentCardProps) {
  const { enter, error } = useEntrance();
  const open = () => enter(workspace.id, returnTo);
  return (
    <AuthCard
      title={isDone ? `Open ${workspace.name}` : "Set up two-step verification"}
      footer={<SignOut email={email} />}
    >
      {isDone ? (
        <>
          <p className="mt-2 text-text-2">You can open this workspace now.</p>
          <Button variant="primary" className="mt-5 w-full" onClick={open}>
            Continue
          </Button>
        </>
      ) : (
        <>
          <p className="mt-2 text-text-2 [overflow-wrap:anywhere]">
            {workspace.name} requires two-step verification for all members. After you set it up, Signalbox asks for a
            code from an app or for a passkey when you sign in.
          </p>
          <Enrollment onDone={open} />
        </>
      )}
      <FormError>{error}</FormError>
      <OtherWorkspaces than={workspace.id} onChoose={(id) => enter(id, "/workflows")} />
    </AuthCard>
  );
}

function Enrollment({ onDone }: { onDone: () => void }) {
  const state = useOperation("get_two_step", {});
  const actions = useTwoStep(onDone);
  return (
    <div className="mt-5 flex flex-col gap-3">
      <QueryView
        query={state}
        skeleton={<Skeleton className="h-control" />}
        errorTitle="Couldn't load your second factors."
      >
        {(data) =>
          data.is_on ? <Button onClick={onDone}>Continue</Button> : <FactorButtons state={data} actions={actions} />
        }
      </QueryView>
      <FormError>{actions.error}</FormError>
      {actions.dialogs}
    </div>
  );
}
