"use client";

import { useState } from "react";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { callOperation } from "@/components/api/call-operation";
import { useOperation } from "@/components/api/operation-hooks";
import { useCheckedForm } from "@/components/api/use-checked-form";
import { FactorCodeForm } from "@/components/features/accounts/factor-code-form";
import { PasskeyButton } from "@/components/features/accounts/passkey-button";
import { PasswordInput } from "@/components/features/accounts/password-input";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";
import { QueryView } from "@/components/ui/lists/query-view";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { Dialog } from "@/components/ui/overlays/dialog";

type Methods = WebOperations["begin_confirmation"]["output"];
type Proof = WebOperations["confirm_identity"]["input"]["proof"];

interface ConfirmIdentityDialogProps {
  onClose: () => void;
  onConfirmed: () => void;
}

/** Asks for a password, or for a second factor if the user has one. */
export function ConfirmIdentityDialog({ onClose, onConfirmed }: ConfirmIdentityDialogProps) {
  const methods = useOperation("begin_confirmation", {}, { staleTime: 0 });
  async function send(proof: Proof): Promise<null> {
    await callOperation("confirm_identity", { proof });
    onConfirmed();
    return null;
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Confirm that it's you"
      description="This changes the security of your account."
    >
      <QueryView query={methods} skeleton={<Skeleton className="h-24" />} errorTitle="Couldn't start the confirmation.">
        {(data) => <Methods {...data} send={send} />}
      </QueryView>
    </Dialog>
  );
}

function Methods({
  has_password: hasPassword,
  has_authenticator: hasAuthenticator,
  passkey,
  send,
}: Methods & { send: (proof: Proof) => Promise<null> }) {
  const [isRecovering, setIsRecovering] = useState(false);
  const hasFactor = hasAuthenticator || passkey !== null;
  if (!hasPassword && !hasFactor) return <p>Sign out, sign in again, and then make this change.</p>;
  const kind = isRecovering ? "recovery_code" : "code";
  return (
    <div className="flex flex-col gap-3">
      {hasPassword ? <PasswordForm send={send} /> : null}
      {hasAuthenticator || isRecovering ? (
        <FactorCodeForm key={kind} kind={kind} submitLabel="Confirm" send={send} />
      ) : null}
      {passkey === null ? null : (
        <PasskeyButton
          label="Use a passkey"
          begin={async () => (await callOperation("begin_confirmation", {})).passkey ?? passkey}
          onSigned={(proof) => send({ passkey: proof })}
        />
      )}
      {hasFactor ? (
        <Button variant="ghost" onClick={() => setIsRecovering(!isRecovering)}>
          {isRecovering ? "Use another method" : "Use a recovery code"}
        </Button>
      ) : null}
    </div>
  );
}

function PasswordForm({ send }: { send: (proof: Proof) => Promise<null> }) {
  const form = useCheckedForm({
    start: { password: "" },
    check: ({ password }) => ({
      byField: { ...(password === "" ? { password: "Enter your password." } : {}) },
      general: null,
    }),
    send: ({ password }) => send({ password }),
  });
  return (
    <form {...form.props} className="flex flex-col gap-4">
      <Field label="Password" error={form.problem("password")} isRequired>
        {(control) => <PasswordInput {...control} {...form.register("password")} autoComplete="current-password" />}
      </Field>
      <FormError>{form.general}</FormError>
      <Button type="submit" variant="primary" isBusy={form.isBusy}>
        Confirm
      </Button>
    </form>
  );
}
