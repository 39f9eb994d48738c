"use client";

import type { RunObject } from "#lib/contract/run";
import { FROM_LG, FROM_SM, RUN_COLUMNS } from "@/components/runs/run-columns";
import { RunDuration } from "@/components/runs/run-duration";
import { RUN_SOURCE_WORDS } from "@/components/runs/run-sources";
import { RunSubject } from "@/components/runs/run-subject";
import { shortId } from "@/components/runs/short-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { RowLink } from "@/components/ui/row-link";
import { RUN_STATUS_LOOK } from "@/components/ui/status";
import { RunStatusChip } from "@/components/ui/status-chip";
import { Table, TableCell, TableRow } from "@/components/ui/table";
import { ColumnHeads } from "@/components/ui/table-skeleton";

export function RunTable({ runs }: { runs: readonly RunObject[] }) {
  return (
    <Table caption="Runs">
      <ColumnHeads columns={RUN_COLUMNS} />
      <tbody>
        {runs.map((run) => (
          <TableRow key={run.run_id}>
            <TableCell className={`${FROM_SM} font-mono text-dense font-normal text-text-2`}>
              {shortId(run.run_id)}
            </TableCell>
            <TableCell>
              <RowLink href={`/runs/${run.run_id}`} className="inline-flex rounded-full" aria-label={rowName(run)}>
                <RunStatusChip status={run.status} />
              </RowLink>
            </TableCell>
            <TableCell className="w-full max-w-0 truncate">
              <RunSubject run={run} />
            </TableCell>
            <TableCell className={`${FROM_LG} text-text-2`}>{RUN_SOURCE_WORDS[run.source]}</TableCell>
            <TableCell className={`${FROM_LG} font-mono text-dense`}>
              {run.action_release_version === null ? (
                <span className="text-text-3">Draft</span>
              ) : (
                `v${run.action_release_version}`
              )}
            </TableCell>
            <TableCell className={FROM_SM}>
              <RunDuration run={run} />
            </TableCell>
            <TableCell className="text-text-2">
              <RelativeTime at={run.created_at} />
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

/** Begins with the words that are seen, so that people who speak to their computer can name the row. */
function rowName(run: RunObject): string {
  return `${RUN_STATUS_LOOK[run.status].word}: run ${shortId(run.run_id)}${run.action_slug === null ? "" : ` of ${run.action_slug}`}`;
}
