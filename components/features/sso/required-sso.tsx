"use client";

import { useState } from "react";
import type { SsoRule } from "#lib/contract/account/sso";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { needsConfirmation, useConfirmation } from "@/components/features/two-step/use-confirmation";
import { FormError } from "@/components/ui/forms/form-error";
import { Switch } from "@/components/ui/forms/switch";
import { LazyAlertDialog } from "@/components/ui/overlays/lazy-alert-dialog";
import { toast } from "@/components/ui/toast";

/** Lets admins close the workspace to sessions that did not start from its provider. */
export function RequiredSso({ rule }: { rule: SsoRule }) {
  const isRequired = rule.is_required;
  const label = rule.provider_label ?? rule.provider;
  const [isAsking, setIsAsking] = useState(false);
  const confirmation = useConfirmation();
  const change = useOperationMutation("set_required_sso", {
    invalidates: ["get_sso"],
    onSuccess: (_, { is_required: isOn }) => {
      toast(isOn ? "Single sign-on is now required." : "Single sign-on is no longer required.");
      setIsAsking(false);
    },
  });
  function save() {
    change.mutate({ is_required: !isRequired }, { onError });
  }
  function onError(error: Error) {
    // One dialog at a time: the change is sent again after the confirmation.
    if (needsConfirmation(error)) setIsAsking(false);
    confirmation.onError(error, save);
  }
  const problem = needsConfirmation(change.error) ? null : (change.error?.message ?? null);
  return (
    <>
      <Switch
        label="Require single sign-on"
        description={`Only people who signed in with ${label} can open this workspace. API keys keep working.`}
        isOn={isRequired}
        onChange={() => setIsAsking(true)}
      />
      <LazyAlertDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={isRequired ? "Stop requiring single sign-on?" : "Require single sign-on?"}
        confirmLabel={isRequired ? "Stop requiring it" : "Require it"}
        isDestructive={isRequired}
        isBusy={change.isPending}
        error={problem}
        onConfirm={save}
      >
        <p>
          {isRequired
            ? "Members can then open this workspace with a password or another service."
            : `Members who signed in another way can't open this workspace until they sign in with ${label}. An owner with a second factor can turn this off even if ${label} lets no one in.`}
        </p>
      </LazyAlertDialog>
      <FormError>{isAsking ? null : problem}</FormError>
      {confirmation.dialog}
    </>
  );
}
