"use client";

import { Plug, Plus } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { CircuitNotices } from "@/components/features/connections/circuit-notice";
import { CONNECTION_TABLE_COLUMNS } from "@/components/features/connections/connection-columns";
import { ConnectionDialogs, type OpenConnectionDialog } from "@/components/features/connections/connection-dialogs";
import { CONNECTION_PAGES } from "@/components/features/connections/connection-pages";
import { SignInNotice } from "@/components/features/connections/sign-in-notice";
import { useConnectionPages } from "@/components/features/connections/use-connections";
import { useHasRole } from "@/components/shell/session-context";
import { useShortcuts } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { PageHeader } from "@/components/ui/lists/page-header";
import { QueryView } from "@/components/ui/lists/query-view";
import { ShowMore } from "@/components/ui/lists/show-more";
import { SubNav } from "@/components/ui/lists/sub-nav";
import { TableSkeleton } from "@/components/ui/lists/table-skeleton";
import { flagCodec } from "@/components/ui/url-codecs";
import { useEarly } from "@/components/ui/use-early";
import { useUrlState } from "@/components/ui/use-url-state";

const loadTable = () => import("@/components/features/connections/connection-table");
const ConnectionTable = lazy(() => loadTable().then((m) => ({ default: m.ConnectionTable })));
const EARLY = [loadTable];
const CODECS = { new: flagCodec };

export function ConnectionList() {
  useEarly(EARLY);
  const [{ new: isCreating }, setUrl] = useUrlState(CODECS);
  const [open, setOpen] = useState<OpenConnectionDialog>(null);
  const { query, connections } = useConnectionPages();
  const canEdit = useHasRole("editor");
  const isEmpty = query.data !== undefined && connections.length === 0;
  useShortcuts({ n: () => (canEdit ? setUrl({ new: true }) : undefined) });
  const create = canEdit ? (
    <Button variant="primary" onClick={() => setUrl({ new: true })}>
      <Plus aria-hidden className="size-4" />
      New connection
    </Button>
  ) : undefined;
  return (
    <>
      <PageHeader title="Connections" actions={isEmpty ? undefined : create} />
      <SubNav label="Connections" pages={CONNECTION_PAGES} />
      <SignInNotice />
      <CircuitNotices />
      <QueryView query={query} skeleton={<ConnectionsSkeleton />} errorTitle="Couldn't load the connections.">
        {() =>
          isEmpty ? (
            <NoConnections create={create} />
          ) : (
            <Suspense fallback={<ConnectionsSkeleton />}>
              <ConnectionTable connections={connections} canEdit={canEdit} onOpen={setOpen} />
            </Suspense>
          )
        }
      </QueryView>
      <ShowMore query={query} />
      <ConnectionDialogs
        open={open ?? (isCreating && canEdit ? { kind: "create" } : null)}
        onClose={() => {
          setUrl({ new: false });
          setOpen(null);
        }}
      />
    </>
  );
}

function ConnectionsSkeleton() {
  return <TableSkeleton columns={CONNECTION_TABLE_COLUMNS} label="Loading connections" rows={3} />;
}

function NoConnections({ create }: { create: ReactNode }) {
  return (
    <EmptyState icon={Plug} title="No connections yet" action={create}>
      A connection stores the encrypted credentials for a service. Steps use the connection without seeing the
      credentials.
    </EmptyState>
  );
}
