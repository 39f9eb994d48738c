"use client";

import { useState } from "react";
import { hasRole } from "#lib/contract/workspace/roles";
import type { MemberKeys, MemberObject } from "#lib/contract/workspace/workspace";
import { formatCount } from "#lib/support/format/format-number";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { useSession } from "@/components/shell/session-context";
import { Field } from "@/components/ui/forms/field";
import { Select } from "@/components/ui/forms/select";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";
import { toast } from "@/components/ui/toast";

const REVOKE = "revoke";
/** Owners and admins who can be offered; a workspace rarely has more. */
const OFFERED_MAX = 100;

export function RemoveMemberDialog({ member, onClose }: { member: MemberObject; onClose: () => void }) {
  const { name, active_keys: keys } = member;
  const [choice, setChoice] = useState(REVOKE);
  const remove = useOperationMutation("remove_member", {
    invalidates: ["list_members", "list_invites", "list_keys", "get_usage"],
    onSuccess: () => {
      toast(`${name} was removed and no longer has access.`);
      onClose();
    },
  });
  const fate: MemberKeys = choice === REVOKE ? { fate: "revoke" } : { fate: "transfer", to_user_id: choice };
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={`Remove ${name}?`}
      confirmLabel="Remove"
      isDestructive
      isBusy={remove.isPending}
      error={remove.error?.message ?? null}
      onConfirm={() => remove.mutate({ user_id: member.user_id, ...(keys === 0 ? {} : { keys: fate }) })}
    >
      <p>They lose access at their next request. Their workflows, versions and runs are kept.</p>
      {keys === 0 ? null : <KeysChoice member={member} choice={choice} onChange={setChoice} />}
    </AlertDialog>
  );
}

interface KeysChoiceProps {
  member: MemberObject;
  /** `revoke`, or the id of the administrator who takes the keys. */
  choice: string;
  onChange: (choice: string) => void;
}

function KeysChoice({ member, choice, onChange }: KeysChoiceProps) {
  const { user } = useSession();
  const members = useOperation("list_members", { limit: OFFERED_MAX });
  const others = (members.data?.data ?? []).filter(
    ({ user_id: id, role }) => hasRole(role, "admin") && id !== member.user_id && id !== user.user_id,
  );
  return (
    <Field
      label={`${formatCount(member.active_keys, "API key")} they created`}
      description={
        choice === REVOKE
          ? "Calls with these keys get 401 at once."
          : "The keys keep working. Their runs count against the new owner."
      }
    >
      {(control) => (
        <Select {...control} value={choice} onChange={({ target }) => onChange(target.value)}>
          <option value={REVOKE}>Revoke</option>
          <option value={user.user_id}>Transfer to you</option>
          {others.map(({ user_id: id, name }) => (
            <option key={id} value={id}>
              Transfer to {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
