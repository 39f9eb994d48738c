"use client";

import { LIMITS } from "#lib/contract/limits";
import type { Role } from "#lib/contract/workspace/roles";
import type { CreatedInvite } from "#lib/contract/workspace/workspace";
import { createInviteInput } from "#lib/contract/workspace/workspace-inputs";
import { formatCount } from "#lib/support/format/format-number";
import { useOperationForm } from "@/components/api/use-operation-form";
import { grantableRoles, ROLE_WORDS } from "@/components/features/settings/role-words";
import { useSession } from "@/components/shell/session-context";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { FormDialog } from "@/components/ui/overlays/form-dialog";

interface InviteDialogProps {
  email: string;
  role: Role;
  onClose: () => void;
  onInvited: (invite: CreatedInvite) => void;
}

/** Asks for an address and a role, and creates the invite link. */
export function InviteDialog({ email: givenEmail, role: givenRole, onClose, onInvited }: InviteDialogProps) {
  const { role: own } = useSession();
  const form = useOperationForm("create_invite", {
    schema: createInviteInput,
    start: { email: givenEmail, role: givenRole },
    toInput: (values) => values,
    missing: { email: "Enter an email address." },
    invalidates: ["list_invites"],
    onSuccess: onInvited,
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={givenEmail === "" ? "Invite a member" : "New invite link"}
      description={`The link works once and is valid for ${formatCount(LIMITS.inviteDays, "day")}. An earlier link for this address stops working.`}
      submitLabel="Create link"
      className="flex flex-col gap-5"
    >
      <Field label="Email" error={form.problem("email")} isRequired>
        {(control) => (
          <Input
            {...control}
            {...form.register("email")}
            type="email"
            autoFocus={givenEmail === ""}
            readOnly={givenEmail !== ""}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="Role" description={ROLE_WORDS[form.value("role")].about}>
        {(control) => (
          <Select {...control} {...form.register("role")}>
            {grantableRoles(own).map((option) => (
              <option key={option} value={option}>
                {ROLE_WORDS[option].label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <FormError>{form.general}</FormError>
    </FormDialog>
  );
}
