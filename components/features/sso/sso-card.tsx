"use client";

import type { SignInOption } from "#lib/contract/account/account";
import type { SessionObject } from "#lib/contract/wire/web";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { showWorkspace } from "@/components/api/shown-workspace";
import { AuthCard } from "@/components/features/accounts/auth-card";
import { OtherWorkspaces, SignOut, useEntrance } from "@/components/features/accounts/closed-workspace";
import { ProviderButtons } from "@/components/features/accounts/provider-buttons";
import { needsConfirmation, useConfirmation } from "@/components/features/two-step/use-confirmation";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/forms/form-error";

interface SsoCardProps {
  /** The workspace that requires single sign-on. */
  workspace: SessionObject["workspace"];
  /** The address of the user who is signed in. */
  email: string;
  /** The page to open afterwards. */
  returnTo: string;
  /** The provider to sign in with; null if it is no longer set up. */
  service: SignInOption | null;
  /** Whether an owner can turn the requirement off in this session; null for other members. */
  wayBack: "open" | "closed" | null;
}

/** What a user sees instead of a workspace that requires single sign-on: how to get in, and where else to go. */
export function SsoCard({ workspace, email, returnTo, service, wayBack }: SsoCardProps) {
  const { enter, error } = useEntrance();
  return (
    <AuthCard title="Single sign-on required" footer={<SignOut email={email} />}>
      <p className="mt-2 text-text-2 [overflow-wrap:anywhere]">
        {service === null
          ? `The provider that ${workspace.name} requires is no longer set up. Ask an owner, or the operator of this instance, to turn the requirement off.`
          : `To open ${workspace.name}, sign in with ${service.label}.`}
      </p>
      {service === null ? null : (
        <div className="mt-5">
          <ProviderButtons services={[service]} returnTo={returnTo} />
        </div>
      )}
      {wayBack === null ? null : (
        <WayBack
          workspace={workspace}
          isOpen={wayBack === "open"}
          onDone={() => enter(workspace.workspace_id, "/settings")}
        />
      )}
      <FormError>{error}</FormError>
      <OtherWorkspaces than={workspace.workspace_id} onChoose={(id) => enter(id, "/workflows")} />
    </AuthCard>
  );
}

interface WayBackProps {
  workspace: SessionObject["workspace"];
  isOpen: boolean;
  onDone: () => void;
}

/** An owner's way back in, if the provider lets no one in. */
function WayBack({ workspace, isOpen, onDone }: WayBackProps) {
  const change = useOperationMutation("set_required_sso", { onSuccess: onDone });
  const confirmation = useConfirmation();
  function turnOff() {
    // The one that the page is about, which is not always the one that other pages open in.
    showWorkspace(workspace);
    change.mutate({ is_required: false }, { onError: (error) => confirmation.onError(error, turnOff) });
  }
  return (
    <div className="mt-6 border-t border-border pt-4">
      <p className="text-text-2">
        {isOpen
          ? "You own this workspace. If no one can sign in with the provider, stop requiring it."
          : "You own this workspace. If no one can sign in with the provider, sign in with your password and a second factor or a recovery code. You can then stop requiring single sign-on here."}
      </p>
      {isOpen ? (
        <Button className="mt-3" isBusy={change.isPending} onClick={turnOff}>
          Stop requiring single sign-on
        </Button>
      ) : null}
      <FormError>{needsConfirmation(change.error) ? null : (change.error?.message ?? null)}</FormError>
      {confirmation.dialog}
    </div>
  );
}
