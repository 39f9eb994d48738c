"use client";

import { Link2, X } from "lucide-react";
import type { ReactNode } from "react";
import type { InviteObject } from "#lib/contract/workspace/workspace";
import type { OpenMemberDialog } from "@/components/features/settings/member-dialogs";
import { ROLE_WORDS } from "@/components/features/settings/role-words";
import { useMemberPages } from "@/components/features/settings/use-member-pages";
import { IconButton } from "@/components/ui/icon-button";
import { FROM_SM } from "@/components/ui/lists/column-widths";
import { QueryView } from "@/components/ui/lists/query-view";
import { ShowMore } from "@/components/ui/lists/show-more";
import { Table, TableCell, TableRow } from "@/components/ui/lists/table";
import { type Column, ColumnHeads, TableSkeleton } from "@/components/ui/lists/table-skeleton";
import { RelativeTime } from "@/components/words/relative-time";

const COLUMNS: readonly Column[] = [
  { key: "email", label: "Email", className: "w-full max-w-0" },
  { key: "role", label: "Role" },
  { key: "by", label: "Invited by", className: FROM_SM },
  { key: "expires", label: "Link and mail", className: FROM_SM },
  { key: "more", label: "Actions", isLabelHidden: true, className: "w-16" },
];

interface InviteTableProps {
  onOpen: (dialog: OpenMemberDialog) => void;
  /** The content below the table, shown once the table's height is known. */
  children: ReactNode;
}

/** Lists the invites that no one has used yet. */
export function InviteTable({ onOpen, children }: InviteTableProps) {
  const { query, items } = useMemberPages("list_invites");
  return (
    <>
      <section aria-labelledby="open-invites" className="flex flex-col gap-3">
        <h2 id="open-invites" className="px-4 text-title font-semibold">
          Open invites
        </h2>
        <QueryView
          query={query}
          skeleton={<TableSkeleton columns={COLUMNS} label="Loading invites" rows={1} />}
          errorTitle="Couldn't load the invites."
        >
          {() =>
            items.length === 0 ? (
              <p className="px-4 text-text-2">No open invites.</p>
            ) : (
              <Table caption="Open invites" isPlain>
                <ColumnHeads columns={COLUMNS} />
                <tbody>
                  {items.map((invite) => (
                    <InviteRow key={invite.invite_id} invite={invite} onOpen={onOpen} />
                  ))}
                </tbody>
              </Table>
            )
          }
        </QueryView>
        <ShowMore query={query} />
      </section>
      {query.isPending ? null : children}
    </>
  );
}

function InviteRow({ invite, onOpen }: { invite: InviteObject; onOpen: (dialog: OpenMemberDialog) => void }) {
  const { email, role, status } = invite;
  return (
    <TableRow>
      <TableCell className="w-full max-w-0 truncate font-medium">{email}</TableCell>
      <TableCell>{ROLE_WORDS[role].label}</TableCell>
      <TableCell className={FROM_SM}>{invite.invited_by ?? "Former member"}</TableCell>
      <TableCell className={FROM_SM}>
        {status === "expired" ? (
          <span className="text-timeout">Expired</span>
        ) : (
          <>
            Expires <RelativeTime at={invite.expires_at} />
          </>
        )}
        <MailState invite={invite} />
      </TableCell>
      <TableCell className="w-16">
        <span className="flex justify-end gap-1">
          <IconButton
            icon={Link2}
            size="sm"
            label={`New link for ${email}`}
            onClick={() => onOpen({ kind: "invite", email, role })}
          />
          <IconButton
            icon={X}
            size="sm"
            label={`Withdraw invite for ${email}`}
            onClick={() => onOpen({ kind: "withdraw", invite })}
          />
        </span>
      </TableCell>
    </TableRow>
  );
}

const MAIL_WORDS = { waiting: "Sending mail", sent: "Mailed", failed: "Couldn't send mail" } as const;

function MailState({ invite: { mail, mail_error: error } }: { invite: InviteObject }) {
  if (mail === null) return null;
  const isTroubled = mail !== "sent" && error !== null;
  return (
    <span
      title={error ?? undefined}
      className={`block max-w-80 truncate text-dense ${isTroubled ? "text-err" : "text-text-2"}`}
    >
      {isTroubled && mail === "waiting" ? "Mail refused, retrying soon" : MAIL_WORDS[mail]}
      {isTroubled ? `: ${error}` : null}
    </span>
  );
}
