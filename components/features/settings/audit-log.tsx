"use client";

import { ScrollText } from "lucide-react";
import type { AuditEventObject } from "#lib/contract/workspace/workspace";
import { useOperation } from "@/components/api/operation-hooks";
import { AuditFilters, CODECS } from "@/components/features/settings/audit-filters";
import { AUDIT_COLUMNS, AuditTable } from "@/components/features/settings/audit-table";
import { SettingsFrame } from "@/components/features/settings/settings-frame";
import { useHasRole } from "@/components/shell/session-context";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { Pager } from "@/components/ui/lists/pager";
import { QueryView } from "@/components/ui/lists/query-view";
import { TableSkeleton } from "@/components/ui/lists/table-skeleton";
import { useCursorPaging } from "@/components/ui/lists/use-cursor-paging";
import { useUrlState } from "@/components/ui/use-url-state";

/** Lists who did what, newest first. */
export function AuditLog() {
  const isAdmin = useHasRole("admin");
  return (
    <SettingsFrame>
      {isAdmin ? (
        <AdminAuditLog />
      ) : (
        <EmptyState icon={ScrollText} title="You need the admin role to view the audit log">
          Ask an admin or the owner of this workspace.
        </EmptyState>
      )}
    </SettingsFrame>
  );
}

function AdminAuditLog() {
  const [{ actor, action }, setUrl] = useUrlState(CODECS);
  const paging = useCursorPaging();
  const query = useOperation(
    "list_audit_events",
    {
      ...(actor === null ? {} : { actor }),
      ...(action === null ? {} : { action }),
      ...(paging.cursor === null ? {} : { cursor: paging.cursor }),
    },
    { keepPrevious: true },
  );
  const isFiltered = actor !== null || action !== null;
  function narrow(next: { actor?: string | null; action?: string | null } | null) {
    paging.reset();
    setUrl(next);
  }
  return (
    <>
      <AuditFilters actor={actor} action={action} events={query.data?.data ?? []} onChange={narrow} />
      <QueryView
        query={query}
        skeleton={<TableSkeleton columns={AUDIT_COLUMNS} label="Loading audit log" rows={8} />}
        errorTitle="Couldn't load the audit log."
      >
        {({ data }) =>
          data.length === 0 ? (
            <Nothing isFiltered={isFiltered} />
          ) : (
            <AuditTable events={data} onActor={(event) => narrow({ actor: actorFilterOf(event), action })} />
          )
        }
      </QueryView>
      <Pager paging={paging} nextCursor={query.data?.next_cursor} noun="the audit log" />
    </>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState icon={ScrollText} title="No results">
      Choose another person or event type.
    </EmptyState>
  ) : (
    <EmptyState icon={ScrollText} title="No events yet">
      Changes made by members and API keys in this workspace appear here.
    </EmptyState>
  );
}

function actorFilterOf({ actor }: AuditEventObject): string | null {
  return actor.type === "system" ? "system" : actor.id;
}
