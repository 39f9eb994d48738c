import type { RunObject } from "#lib/contract/run/run";
import { DEFAULT_VIEW, type RowView, RUN_CELLS } from "@/components/features/runs/list/run-cells";
import { CHOICE_COLUMN, type RunColumn, shownColumns } from "@/components/features/runs/list/run-columns";
import type { RunChoice } from "@/components/features/runs/list/use-run-choice";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { RowLink } from "@/components/ui/lists/row-link";
import { Table, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/lists/table";
import { ColumnHeads } from "@/components/ui/lists/table-skeleton";
import { shortId } from "@/components/words/short-id";
import { RUN_STATUS_LOOK } from "@/components/words/status";
import { RunStatusChip } from "@/components/words/status-chip";

interface RunTableProps {
  runs: readonly RunObject[];
  view?: RowView;
  /** Set if rows can be selected. */
  choice?: RunChoice | undefined;
}

export function RunTable({ runs, view = DEFAULT_VIEW, choice }: RunTableProps) {
  const columns = shownColumns(view.columns);
  return (
    <div className={view.density === "compact" ? "[&_td]:h-7 [&_td]:py-0" : undefined}>
      <Table caption="Runs">
        {choice === undefined ? (
          <ColumnHeads columns={columns} />
        ) : (
          <ChoiceHeads runs={runs} columns={columns} choice={choice} />
        )}
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.run_id} run={run} columns={columns} view={view} choice={choice} />
          ))}
        </tbody>
      </Table>
    </div>
  );
}

interface ChoiceHeadsProps {
  runs: readonly RunObject[];
  columns: readonly RunColumn[];
  choice: RunChoice;
}

function ChoiceHeads({ runs, columns, choice }: ChoiceHeadsProps) {
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
      {columns.map((column) => (
        <TableHeader key={column.key} className={column.className}>
          {column.label}
        </TableHeader>
      ))}
    </TableHead>
  );
}

interface RunRowProps {
  run: RunObject;
  columns: readonly RunColumn[];
  view: RowView;
  choice: RunChoice | undefined;
}

function RunRow({ run, columns, view, choice }: RunRowProps) {
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
      {columns.map(({ key, className = "" }) =>
        key === "status" ? (
          <TableCell key={key}>
            <RowLink
              href={`/runs/${run.run_id}`}
              data-run={run.run_id}
              className="inline-flex rounded-full"
              aria-label={rowName(run)}
            >
              <RunStatusChip status={run.status} />
            </RowLink>
          </TableCell>
        ) : (
          <TableCell key={key} className={`${className} ${RUN_CELLS[key].className ?? ""}`}>
            {RUN_CELLS[key].content(run, view)}
          </TableCell>
        ),
      )}
    </TableRow>
  );
}

/** Starts with the visible words, so that speech users can name the row. */
function rowName(run: RunObject): string {
  return `${RUN_STATUS_LOOK[run.status].word}: run ${shortId(run.run_id)}${run.action_slug === null ? "" : ` of ${run.action_slug}`}`;
}
