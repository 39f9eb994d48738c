import type { Column } from "@/components/ui/lists/table-skeleton";

export const FROM_SM = "hidden sm:table-cell";
export const FROM_LG = "hidden lg:table-cell";

export const RUN_COLUMNS: readonly Column[] = [
  { key: "run", label: "Run", className: FROM_SM },
  { key: "status", label: "Status" },
  { key: "action", label: "Action", className: "max-w-0 w-full" },
  { key: "source", label: "Source", className: FROM_LG },
  { key: "release", label: "Release", className: FROM_LG },
  { key: "duration", label: "Duration", className: FROM_SM },
  { key: "started", label: "Created" },
];

/** The first column, if rows can be selected. */
export const CHOICE_COLUMN: Column = {
  key: "choice",
  label: "Choose",
  className: `${FROM_SM} w-4`,
  isLabelHidden: true,
};
