"use client";

import { type FormEvent, useId, useState } from "react";
import { LIMITS } from "#lib/contract/limits";
import type { Role } from "#lib/contract/roles";
import type { CreatedInvite } from "#lib/contract/workspace";
import { ClientError } from "@/components/api/client-error";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { grantableRoles, ROLE_WORDS } from "@/components/features/settings/role-words";
import { useSession } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { Dialog } from "@/components/ui/overlays/dialog";

interface InviteDialogProps {
  email: string;
  role: Role;
  onClose: () => void;
  onInvited: (invite: CreatedInvite) => void;
}

/** Asks whom to let in and as what; makes the link. */
export function InviteDialog({ email: givenEmail, role: givenRole, onClose, onInvited }: InviteDialogProps) {
  const { role: own } = useSession();
  const formId = useId();
  const [email, setEmail] = useState(givenEmail);
  const [role, setRole] = useState<Role>(givenRole);
  const [missing, setMissing] = useState<string | null>(null);
  const create = useOperationMutation("create_invite", { invalidates: ["list_invites"], onSuccess: onInvited });
  const { field, general } = errorsOf(create.error);
  function submit(event: FormEvent) {
    event.preventDefault();
    setMissing(email.trim() === "" ? "Enter an e-mail address." : null);
    if (email.trim() !== "") create.mutate({ email, role });
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={givenEmail === "" ? "Invite somebody" : "New invite link"}
      description={`You get a link that works once, for ${LIMITS.inviteDays} days. A former link for the address stops working.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={create.isPending}>
            Make the link
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5">
        <Field label="E-mail" error={missing ?? field} isRequired>
          {(control) => (
            <Input
              {...control}
              type="email"
              autoFocus={givenEmail === ""}
              readOnly={givenEmail !== ""}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field label="Role" description={ROLE_WORDS[role].about}>
          {(control) => (
            <Select {...control} value={role} onChange={({ target }) => setRole(target.value as Role)}>
              {grantableRoles(own).map((option) => (
                <option key={option} value={option}>
                  {ROLE_WORDS[option].label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {general === null ? null : (
          <p role="alert" className="rounded-2 bg-err-bg px-3 py-2 text-err">
            {general}
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** What the server says of the address stands under it, the rest below the form. */
function errorsOf(error: Error | null): { field: string | null; general: string | null } {
  if (error === null) return { field: null, general: null };
  const [first] = error instanceof ClientError ? error.fieldErrors : [];
  if (first?.field !== "email") return { field: null, general: error.message };
  return { field: `${first.message.slice(0, 1).toUpperCase()}${first.message.slice(1)}.`, general: null };
}
