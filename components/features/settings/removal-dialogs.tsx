"use client";

import type { InviteObject, MemberObject } from "#lib/contract/workspace";
import { formatCount } from "#lib/support/format/format-number";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { useSession } from "@/components/shell/session-context";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";
import { toast } from "@/components/ui/toast";

export function RemoveMemberDialog({ member, onClose }: { member: MemberObject; onClose: () => void }) {
  const { name, active_keys: keys } = member;
  const remove = useOperationMutation("remove_member", {
    invalidates: ["list_members", "list_invites", "get_usage"],
    onSuccess: () => {
      toast(`${name} was removed and no longer has access.`);
      onClose();
    },
  });
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={`Remove ${name}?`}
      confirmLabel="Remove"
      isDestructive
      isBusy={remove.isPending}
      error={remove.error?.message ?? null}
      onConfirm={() => remove.mutate({ user_id: member.user_id })}
    >
      <p>They lose access at their next request. Their workflows, versions and runs are kept.</p>
      {keys === 0 ? null : (
        <p>
          {keys === 1 ? "One API key they created keeps" : `${formatCount(keys, "API key")} they created keep`} working,
          because integrations may depend on them. To stop one, revoke it on the API keys page.
        </p>
      )}
    </AlertDialog>
  );
}

export function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { workspace } = useSession();
  const { data } = useOperation("list_workspaces", {});
  const isOnly = data?.data.length === 1;
  const leave = useOperationMutation("leave_workspace", { onSuccess: () => window.location.assign("/workflows") });
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={`Leave ${workspace.name}?`}
      confirmLabel="Leave"
      isDestructive
      isBusy={leave.isPending || leave.isSuccess}
      error={leave.error?.message ?? null}
      onConfirm={() => leave.mutate({})}
    >
      <p>You need a new invite to come back. Your workflows, versions and runs are kept.</p>
      {isOnly ? <p>This is your only workspace: you can't sign in until someone invites you.</p> : null}
    </AlertDialog>
  );
}

export function WithdrawDialog({ invite, onClose }: { invite: InviteObject; onClose: () => void }) {
  const withdraw = useOperationMutation("revoke_invite", { invalidates: ["list_invites"], onSuccess: onClose });
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={`Withdraw invite for ${invite.email}?`}
      confirmLabel="Withdraw"
      isDestructive
      isBusy={withdraw.isPending}
      error={withdraw.error?.message ?? null}
      onConfirm={() => withdraw.mutate({ invite_id: invite.invite_id })}
    >
      <p>The link stops working immediately.</p>
    </AlertDialog>
  );
}
