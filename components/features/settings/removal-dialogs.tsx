"use client";

import type { InviteObject } from "#lib/contract/workspace/workspace";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { useSession } from "@/components/shell/session-context";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";

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
      <p>
        You need a new invite to come back. Your workflows, versions and runs are kept. API keys that you created are
        revoked.
      </p>
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
