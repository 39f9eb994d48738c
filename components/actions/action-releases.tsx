"use client";

import { TriangleAlert } from "lucide-react";
import type { ActionDetailObject } from "#lib/contract/action";
import { Badge } from "@/components/ui/badge";
import { Chip } from "@/components/ui/chip";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableCell, TableRow } from "@/components/ui/table";
import { type Column, ColumnHeads } from "@/components/ui/table-skeleton";

const COLUMNS: readonly Column[] = [
  { key: "version", label: "Release" },
  { key: "deployed", label: "Published" },
  { key: "schema", label: "For callers", className: "w-full" },
];

export function ActionReleases({ action }: { action: ActionDetailObject }) {
  return (
    <div className="max-w-2xl overflow-hidden rounded-3 border border-border">
      <Table caption="The last ten releases" isPlain>
        <ColumnHeads columns={COLUMNS} />
        <tbody>
          {action.releases.map((release) => (
            <TableRow key={release.version} className="last:border-b-0 hover:bg-transparent">
              <TableCell>
                <span className="inline-flex items-center gap-2 font-mono text-dense">
                  v{release.version}
                  {release.version === action.release_version ? <Badge>Current</Badge> : null}
                </span>
              </TableCell>
              <TableCell className="text-text-2">
                <RelativeTime at={release.deployed_at} />
              </TableCell>
              <TableCell>
                {release.breaking ? (
                  <Chip tone="warn" icon={TriangleAlert}>
                    Breaking input change
                  </Chip>
                ) : (
                  <span className="text-text-2">Compatible</span>
                )}
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
