"use client";

import { UserPlus } from "lucide-react";
import { useState } from "react";
import { ROLES } from "#lib/contract/workspace/roles";
import { InviteTable } from "@/components/features/settings/invite-table";
import { MemberDialogs, type OpenMemberDialog } from "@/components/features/settings/member-dialogs";
import { MEMBER_COLUMNS, MemberTable } from "@/components/features/settings/member-table";
import { ROLE_WORDS } from "@/components/features/settings/role-words";
import { SettingsFrame } from "@/components/features/settings/settings-frame";
import { useMemberPages } from "@/components/features/settings/use-member-pages";
import { useHasRole } from "@/components/shell/session-context";
import { useShortcuts } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { QueryView } from "@/components/ui/lists/query-view";
import { Section } from "@/components/ui/lists/section";
import { ShowMore } from "@/components/ui/lists/show-more";
import { TableSkeleton } from "@/components/ui/lists/table-skeleton";

/** Shows the members of the workspace, the open invites, and what each role can do. */
export function MemberList() {
  const isAdmin = useHasRole("admin");
  const [open, setOpen] = useState<OpenMemberDialog>(null);
  const { query, items } = useMemberPages("list_members");
  const invite = () => setOpen({ kind: "invite" });
  useShortcuts({ n: () => (isAdmin ? invite() : undefined) });
  return (
    <SettingsFrame
      actions={
        isAdmin ? (
          <Button variant="primary" onClick={invite}>
            <UserPlus aria-hidden className="size-4" />
            Invite
          </Button>
        ) : undefined
      }
    >
      <QueryView
        query={query}
        skeleton={<TableSkeleton columns={MEMBER_COLUMNS} label="Loading members" rows={3} />}
        errorTitle="Couldn't load the members."
      >
        {() => <MemberTable members={items} onOpen={setOpen} />}
      </QueryView>
      <ShowMore query={query} />
      {/* Hidden until its position is known: it depends on the number of members above it. */}
      <div hidden={query.isPending} className="flex flex-col gap-10 py-8">
        {isAdmin ? (
          <InviteTable onOpen={setOpen}>
            <RoleGuide />
          </InviteTable>
        ) : (
          <RoleGuide />
        )}
      </div>
      <MemberDialogs open={open} onChange={setOpen} />
    </SettingsFrame>
  );
}

function RoleGuide() {
  return (
    <div className="px-4">
      <Section title="What each role can do" description="Each role includes the permissions of the roles before it.">
        <dl className="grid max-w-[640px] grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
          {ROLES.map((role) => (
            <div key={role} className="contents">
              <dt className="font-medium">{ROLE_WORDS[role].label}</dt>
              <dd className="text-text-2">{ROLE_WORDS[role].about}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </div>
  );
}
