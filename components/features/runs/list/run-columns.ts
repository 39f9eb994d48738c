import { DEFAULT_SETTINGS, type RunListColumn } from "@/components/features/runs/list/list-settings";
import { FROM_LG, FROM_SM } from "@/components/ui/lists/column-widths";
import type { Column } from "@/components/ui/lists/table-skeleton";

export interface RunColumn extends Column {
  key: RunListColumn | "status" | "action";
}

/** All columns, in their order. On narrow screens some of the chosen ones have no room. */
export const ALL_RUN_COLUMNS: readonly RunColumn[] = [
  { key: "run", label: "Run", className: FROM_SM },
  { key: "status", label: "Status" },
  { key: "action", label: "Action", className: "max-w-0 w-full" },
  { key: "caller", label: "Caller", className: FROM_LG },
  { key: "input", label: "Input", className: `${FROM_LG} max-w-64` },
  { key: "source", label: "Source", className: FROM_LG },
  { key: "release", label: "Release", className: FROM_LG },
  { key: "duration", label: "Duration", className: FROM_SM },
  { key: "created", label: "Created" },
];

/** Returns the columns to show: status and action always, the others if they are chosen. */
export function shownColumns(chosen: readonly RunListColumn[]): RunColumn[] {
  return ALL_RUN_COLUMNS.filter(({ key }) => key === "status" || key === "action" || chosen.includes(key));
}

/** The columns of a list that no one has changed. */
export const RUN_COLUMNS: readonly Column[] = shownColumns(DEFAULT_SETTINGS.columns);

/** The first column, if rows can be selected. */
export const CHOICE_COLUMN: Column = {
  key: "choice",
  label: "Choose",
  className: `${FROM_SM} w-4`,
  isLabelHidden: true,
};

/** The columns of the errors by group. */
export const ERROR_COLUMNS: readonly Column[] = [
  { key: "runs", label: "Runs" },
  { key: "error", label: "Error", className: "max-w-0 w-full" },
  { key: "step", label: "Step", className: FROM_SM },
  { key: "workflow", label: "Workflow", className: "hidden lg:table-cell" },
  { key: "last", label: "Last" },
];
