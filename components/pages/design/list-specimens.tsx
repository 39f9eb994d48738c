"use client";

import { useState } from "react";
import { Specimen } from "@/components/pages/design/specimen";
import { Badge } from "@/components/ui/badge";
import { SearchField } from "@/components/ui/forms/search-field";
import { Pager } from "@/components/ui/lists/pager";
import { RowLink } from "@/components/ui/lists/row-link";
import { ShowMore } from "@/components/ui/lists/show-more";
import { Table, TableCell, TableRow } from "@/components/ui/lists/table";
import { type Column, ColumnHeads, TableSkeleton } from "@/components/ui/lists/table-skeleton";
import { Toolbar } from "@/components/ui/lists/toolbar";
import { useCursorPaging } from "@/components/ui/lists/use-cursor-paging";
import { VirtualRows } from "@/components/ui/lists/virtual-rows";
import { textCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";
import { RelativeTime } from "@/components/words/relative-time";
import { RunStatusChip } from "@/components/words/status-chip";

const COLUMNS: readonly Column[] = [
  { key: "action", label: "Action" },
  { key: "status", label: "Status" },
  { key: "version", label: "Version", className: "hidden sm:table-cell" },
  { key: "started", label: "Started", className: "hidden sm:table-cell" },
];

const ROWS = [
  { slug: "order-status", status: "running", version: 4, at: "2026-11-21T09:14:00Z" },
  { slug: "refund-order", status: "waiting_for_approval", version: 2, at: "2026-11-21T08:02:11Z" },
  { slug: "hello-world", status: "failed", version: 1, at: "2026-11-20T17:45:30Z" },
] as const;

const CODECS = { q: textCodec };

/** A list as every list page has it: search, table, pages; and the same on its way. */
export function ListSpecimens() {
  const [{ q }, setUrl] = useUrlState(CODECS);
  const paging = useCursorPaging();
  const [shown, setShown] = useState(2);
  return (
    <div className="overflow-hidden rounded-3 border border-border bg-surface">
      <Toolbar>
        <SearchField label="Search runs" value={q} onChange={(words) => setUrl({ q: words })} />
      </Toolbar>
      <Table caption="Runs" isPlain>
        <ColumnHeads columns={COLUMNS} />
        <tbody>
          {ROWS.slice(0, shown)
            .filter(({ slug }) => slug.includes(q))
            .map((row) => (
              <TableRow key={row.slug}>
                <TableCell>
                  <RowLink href={`/actions/${row.slug}`}>{row.slug}</RowLink>
                </TableCell>
                <TableCell>
                  <RunStatusChip status={row.status} />
                </TableCell>
                <TableCell className="hidden sm:table-cell">
                  <Badge>v{row.version}</Badge>
                </TableCell>
                <TableCell className="hidden sm:table-cell">
                  <RelativeTime at={row.at} className="text-text-2" />
                </TableCell>
              </TableRow>
            ))}
        </tbody>
      </Table>
      <ShowMore
        query={{
          hasNextPage: shown < ROWS.length,
          isFetchingNextPage: false,
          fetchNextPage: async () => setShown(ROWS.length),
        }}
      />
      <Pager paging={paging} nextCursor="further" noun="runs" />
      <div className="border-t border-border p-4">
        <Specimen name="Rows drawn as they come into view" isWide>
          <div className="w-full rounded-2 border border-border">
            <VirtualRows count={6} keyOf={String} rowHeight={28} label="Rows">
              {(index) => <div className="h-7 px-3 leading-7">Row {index + 1}</div>}
            </VirtualRows>
          </div>
        </Specimen>
        <Specimen name="On its way" isWide>
          <div className="w-full">
            <TableSkeleton columns={COLUMNS} label="Loading runs" rows={3} />
          </div>
        </Specimen>
      </div>
    </div>
  );
}
