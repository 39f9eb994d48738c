"use client";

import type { ListSettings } from "@/components/features/runs/list/list-settings";
import { CHOICE_COLUMN, shownColumns } from "@/components/features/runs/list/run-columns";
import { useHasRole } from "@/components/shell/session-context";
import { TableSkeleton } from "@/components/ui/lists/table-skeleton";

/** Takes the place of the rows while they load, with the columns that they will have. */
export function RowsSkeleton({ settings }: { settings: ListSettings }) {
  const columns = shownColumns(settings.columns);
  return (
    <TableSkeleton
      columns={useHasRole("editor") ? [CHOICE_COLUMN, ...columns] : columns}
      label="Loading runs"
      rows={12}
    />
  );
}
