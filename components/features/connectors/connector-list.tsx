"use client";

import { Blocks, Plus } from "lucide-react";
import type { CustomConnectorItem } from "#lib/contract/connector/connector";
import { useOperation } from "@/components/api/operation-hooks";
import { CONNECTION_PAGES } from "@/components/features/connections/connection-pages";
import { AUTH_WORDS } from "@/components/features/connectors/auth-words";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { FROM_LG, FROM_SM } from "@/components/ui/lists/column-widths";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { PageHeader } from "@/components/ui/lists/page-header";
import { QueryView } from "@/components/ui/lists/query-view";
import { RowLink } from "@/components/ui/lists/row-link";
import { SubNav } from "@/components/ui/lists/sub-nav";
import { Table, TableCell, TableRow } from "@/components/ui/lists/table";
import { type Column, ColumnHeads, TableSkeleton } from "@/components/ui/lists/table-skeleton";
import { RelativeTime } from "@/components/words/relative-time";

const COLUMNS: readonly Column[] = [
  { key: "name", label: "Name", className: "max-w-0 w-1/3" },
  { key: "url", label: "Address", className: `${FROM_SM} max-w-0 w-1/3` },
  { key: "auth", label: "Authentication", className: FROM_LG },
  { key: "operations", label: "Operations", className: "text-right" },
  { key: "version", label: "Version" },
  { key: "by", label: "Created by", className: FROM_LG },
  { key: "updated", label: "Built", className: FROM_SM },
];

/** Lists the connectors that members and agents of the workspace built. */
export function ConnectorList() {
  const canEdit = useHasRole("editor");
  const query = useOperation("list_custom_connectors", {});
  const isEmpty = query.data?.data.length === 0;
  const build = canEdit ? (
    <Button variant="primary" asChild>
      <Link href="/connections/build">
        <Plus aria-hidden className="size-4" />
        Build a connector
      </Link>
    </Button>
  ) : undefined;
  return (
    <>
      <PageHeader title="Connections" actions={isEmpty ? undefined : build} />
      <SubNav label="Connections" pages={CONNECTION_PAGES} />
      <QueryView
        query={query}
        skeleton={<TableSkeleton columns={COLUMNS} label="Loading connectors" rows={3} />}
        errorTitle="Couldn't load the connectors."
      >
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={Blocks} title="No connectors yet" action={build}>
              A connector turns an API into steps. Build one from an OpenAPI document or from requests that you
              describe.
            </EmptyState>
          ) : (
            <ConnectorTable connectors={data} />
          )
        }
      </QueryView>
    </>
  );
}

function ConnectorTable({ connectors }: { connectors: readonly CustomConnectorItem[] }) {
  return (
    <Table caption="Connectors">
      <ColumnHeads columns={COLUMNS} />
      <tbody>
        {connectors.map((item) => (
          <TableRow key={item.connector}>
            <TableCell className="w-1/3 max-w-0">
              <RowLink href={`/connections/connectors/${item.connector}`} className="block truncate font-medium">
                {item.name}
              </RowLink>
              <p className="truncate font-mono text-dense text-text-3">{item.connector}</p>
            </TableCell>
            <TableCell className={`${FROM_SM} w-1/3 max-w-0 truncate font-mono text-dense`}>{item.base_url}</TableCell>
            <TableCell className={FROM_LG}>{AUTH_WORDS[item.auth]}</TableCell>
            <TableCell className="text-right font-mono text-dense">{item.operations}</TableCell>
            <TableCell className="font-mono text-dense">v{item.version}</TableCell>
            <TableCell className={`${FROM_LG} text-text-2`}>{item.created_by ?? "Former member"}</TableCell>
            <TableCell className={`${FROM_SM} text-text-2`}>
              <RelativeTime at={item.updated_at} />
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
