"use client";

import { lazy, Suspense } from "react";
import type { Role } from "#lib/contract/workspace/roles";
import type { CreatedInvite, InviteObject, MemberObject } from "#lib/contract/workspace/workspace";

const InviteDialog = lazy(() =>
  import("@/components/features/settings/invite-dialog").then((m) => ({ default: m.InviteDialog })),
);
const InviteLinkDialog = lazy(() =>
  import("@/components/features/settings/invite-link-dialog").then((m) => ({ default: m.InviteLinkDialog })),
);
const RemoveMemberDialog = lazy(() =>
  import("@/components/features/settings/remove-member-dialog").then((m) => ({ default: m.RemoveMemberDialog })),
);
const LeaveDialog = lazy(() =>
  import("@/components/features/settings/removal-dialogs").then((m) => ({ default: m.LeaveDialog })),
);
const WithdrawDialog = lazy(() =>
  import("@/components/features/settings/removal-dialogs").then((m) => ({ default: m.WithdrawDialog })),
);

/** The open dialog. The link of an invite lives only in this state and is discarded with it. */
export type OpenMemberDialog =
  | { kind: "invite"; email?: string; role?: Role }
  | { kind: "invited"; invite: CreatedInvite }
  | { kind: "withdraw"; invite: InviteObject }
  | { kind: "remove"; member: MemberObject }
  | { kind: "leave" }
  | null;

interface MemberDialogsProps {
  open: OpenMemberDialog;
  onChange: (next: OpenMemberDialog) => void;
}

export function MemberDialogs(props: MemberDialogsProps) {
  return (
    <Suspense>
      <MemberDialog {...props} />
    </Suspense>
  );
}

function MemberDialog({ open, onChange }: MemberDialogsProps) {
  const close = () => onChange(null);
  switch (open?.kind) {
    case undefined:
      return null;
    case "invite":
      return (
        <InviteDialog
          email={open.email ?? ""}
          role={open.role ?? "editor"}
          onClose={close}
          onInvited={(invite) => onChange({ kind: "invited", invite })}
        />
      );
    case "invited":
      return <InviteLinkDialog invite={open.invite} onClose={close} />;
    case "withdraw":
      return <WithdrawDialog invite={open.invite} onClose={close} />;
    case "remove":
      return <RemoveMemberDialog member={open.member} onClose={close} />;
    case "leave":
      return <LeaveDialog onClose={close} />;
  }
}
