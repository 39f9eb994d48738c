"use client";

import { LockOpen, LogOut, UserMinus } from "lucide-react";
import { hasRole, type Role } from "#lib/contract/workspace/roles";
import type { MemberObject } from "#lib/contract/workspace/workspace";
import { useOperationMutation } from "@/components/api/operation-hooks";
import type { OpenMemberDialog } from "@/components/features/settings/member-dialogs";
import { grantableRoles, ROLE_WORDS } from "@/components/features/settings/role-words";
import { useSession } from "@/components/shell/session-context";
import { Select } from "@/components/ui/forms/select";
import { IconButton } from "@/components/ui/icon-button";
import { FROM_SM } from "@/components/ui/lists/column-widths";
import { Table, TableCell, TableRow } from "@/components/ui/lists/table";
import { type Column, ColumnHeads } from "@/components/ui/lists/table-skeleton";
import { toast } from "@/components/ui/toast";
import { RelativeTime } from "@/components/words/relative-time";

export const MEMBER_COLUMNS: readonly Column[] = [
  { key: "name", label: "Name", className: "w-full max-w-0" },
  { key: "role", label: "Role" },
  { key: "joined", label: "Joined", className: FROM_SM },
  { key: "keys", label: "Active keys", className: FROM_SM },
  { key: "leave", label: "Remove or leave", isLabelHidden: true, className: "w-18" },
];

interface MemberTableProps {
  members: readonly MemberObject[];
  onOpen: (dialog: OpenMemberDialog) => void;
}

export function MemberTable({ members, onOpen }: MemberTableProps) {
  return (
    <Table caption="Members">
      <ColumnHeads columns={MEMBER_COLUMNS} />
      <tbody>
        {members.map((member) => (
          <MemberRow key={member.user_id} member={member} onOpen={onOpen} />
        ))}
      </tbody>
    </Table>
  );
}

function MemberRow({ member, onOpen }: { member: MemberObject; onOpen: MemberTableProps["onOpen"] }) {
  const { user, role: own } = useSession();
  const isSelf = member.user_id === user.user_id;
  const mayManage = hasRole(own, "admin") && hasRole(own, member.role);
  return (
    <TableRow>
      <TableCell className="w-full max-w-0 py-2">
        <span className="block truncate font-medium">
          {member.name}
          {isSelf ? <span className="font-normal text-text-3"> (you)</span> : null}
        </span>
        <span className="block truncate text-dense text-text-2">{member.email}</span>
      </TableCell>
      <TableCell>{mayManage ? <RoleSelect member={member} own={own} /> : ROLE_WORDS[member.role].label}</TableCell>
      <TableCell className={FROM_SM}>
        <RelativeTime at={member.joined_at} />
      </TableCell>
      <TableCell className={FROM_SM}>{member.active_keys === 0 ? "None" : member.active_keys}</TableCell>
      <TableCell className="w-18">
        <span className="flex justify-end">
          {isSelf ? (
            <IconButton icon={LogOut} size="sm" label="Leave workspace" onClick={() => onOpen({ kind: "leave" })} />
          ) : mayManage ? (
            <>
              <UnlockButton member={member} />
              <IconButton
                icon={UserMinus}
                size="sm"
                label={`Remove ${member.name}`}
                onClick={() => onOpen({ kind: "remove", member })}
              />
            </>
          ) : null}
        </span>
      </TableCell>
    </TableRow>
  );
}

/** Lets a member sign in again at once after too many failed attempts. */
function UnlockButton({ member }: { member: MemberObject }) {
  const unlock = useOperationMutation("unlock_member", {
    onSuccess: ({ had_failures: hadFailures }) =>
      toast(hadFailures ? `${member.name} can sign in again.` : `${member.name} wasn't locked out.`),
  });
  return (
    <IconButton
      icon={LockOpen}
      size="sm"
      label={`Unlock the sign-in of ${member.name}`}
      onClick={() => unlock.mutate({ user_id: member.user_id }, { onError: (error) => toast.error(error.message) })}
    />
  );
}

/** Changes a role immediately: choosing the previous one undoes it. */
function RoleSelect({ member, own }: { member: MemberObject; own: Role }) {
  const change = useOperationMutation("set_member_role", {
    invalidates: ["list_members", "get_session"],
    onSuccess: ({ name, role }) => toast(`${name} now has the ${ROLE_WORDS[role].label.toLowerCase()} role.`),
  });
  const shown = change.isPending ? change.variables.role : member.role;
  return (
    <Select
      aria-label={`Role of ${member.name}`}
      className="w-28"
      value={shown}
      disabled={change.isPending}
      onChange={({ target }) =>
        change.mutate(
          { user_id: member.user_id, role: target.value as Role },
          { onError: (error) => toast.error(error.message) },
        )
      }
    >
      {grantableRoles(own).map((role) => (
        <option key={role} value={role}>
          {ROLE_WORDS[role].label}
        </option>
      ))}
    </Select>
  );
}
