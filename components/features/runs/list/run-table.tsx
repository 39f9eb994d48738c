import type { RunObject } from "#lib/contract/run";
import { CHOICE_COLUMN, FROM_LG, FROM_SM, RUN_COLUMNS } from "@/components/features/runs/list/run-columns";
import type { RunChoice } from "@/components/features/runs/list/use-run-choice";
import { RunDuration } from "@/components/features/runs/run-duration";
import { RunSubject } from "@/components/features/runs/run-subject";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { RowLink } from "@/components/ui/lists/row-link";
import { Table, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/lists/table";
import { ColumnHeads } from "@/components/ui/lists/table-skeleton";
import { RelativeTime } from "@/components/words/relative-time";
import { RUN_SOURCE_WORDS } from "@/components/words/run-sources";
import { shortId } from "@/components/words/short-id";
import { RUN_STATUS_LOOK } from "@/components/words/status";
import { RunStatusChip } from "@/components/words/status-chip";

interface RunTableProps {
  runs: readonly RunObject[];
  /** Set if rows can be selected. */
  choice?: RunChoice | undefined;
}

export function RunTable({ runs, choice }: RunTableProps) {
  return (
    <Table caption="Runs">
      {choice === undefined ? <ColumnHeads columns={RUN_COLUMNS} /> : <ChoiceHeads runs={runs} choice={choice} />}
      <tbody>
        {runs.map((run) => (
          <RunRow key={run.run_id} run={run} choice={choice} />
        ))}
      </tbody>
    </Table>
  );
}

function ChoiceHeads({ runs, choice }: { runs: readonly RunObject[]; choice: RunChoice }) {
  const areAll = runs.every((run) => choice.ids.has(run.run_id));
  return (
    <TableHead>
      <TableHeader className={CHOICE_COLUMN.className}>
        <Checkbox
          label={<span className="sr-only">Select all runs on this page</span>}
          isChecked={areAll}
          onChange={(isChosen) => choice.set(isChosen ? runs.map((run) => run.run_id) : [])}
        />
      </TableHeader>
      {RUN_COLUMNS.map((column) => (
        <TableHeader key={column.key} className={column.className}>
          {column.label}
        </TableHeader>
      ))}
    </TableHead>
  );
}

function RunRow({ run, choice }: { run: RunObject; choice: RunChoice | undefined }) {
  const isChosen = choice?.ids.has(run.run_id) ?? false;
  return (
    <TableRow isChosen={isChosen}>
      {choice === undefined ? null : (
        <TableCell className={CHOICE_COLUMN.className}>
          <span className="relative z-1 block">
            <Checkbox
              label={<span className="sr-only">Select run {shortId(run.run_id)}</span>}
              isChecked={isChosen}
              onChange={(isNowChosen) => choice.choose(run.run_id, isNowChosen)}
            />
          </span>
        </TableCell>
      )}
      <TableCell className={`${FROM_SM} font-mono text-dense font-normal text-text-2`}>{shortId(run.run_id)}</TableCell>
      <TableCell>
        <RowLink
          href={`/runs/${run.run_id}`}
          data-run={run.run_id}
          className="inline-flex rounded-full"
          aria-label={rowName(run)}
        >
          <RunStatusChip status={run.status} />
        </RowLink>
      </TableCell>
      <TableCell className="w-full max-w-0 truncate">
        <RunSubject run={run} />
        {run.error === null ? null : (
          <span className="ml-3 hidden text-dense text-text-2 md:inline" title={run.error.message}>
            {run.error.message}
          </span>
        )}
      </TableCell>
      <TableCell className={`${FROM_LG} text-text-2`}>{RUN_SOURCE_WORDS[run.source]}</TableCell>
      <TableCell className={`${FROM_LG} font-mono text-dense`}>
        <Release run={run} />
      </TableCell>
      <TableCell className={FROM_SM}>
        <RunDuration run={run} />
      </TableCell>
      <TableCell className="text-text-2">
        <RelativeTime at={run.created_at} />
      </TableCell>
    </TableRow>
  );
}

/** Only actions have releases; for other workflows, only tests run unpublished drafts. */
function Release({ run }: { run: RunObject }) {
  if (run.action_release_version !== null) return `v${run.action_release_version}`;
  return <span className="text-text-3">{run.workflow_version_id === null ? "Draft" : "–"}</span>;
}

/** Starts with the visible words, so that speech users can name the row. */
function rowName(run: RunObject): string {
  return `${RUN_STATUS_LOOK[run.status].word}: run ${shortId(run.run_id)}${run.action_slug === null ? "" : ` of ${run.action_slug}`}`;
}
