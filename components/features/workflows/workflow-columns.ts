import { FROM_LG, FROM_SM } from "@/components/ui/lists/column-widths";
import type { Column } from "@/components/ui/lists/table-skeleton";

/** Between these widths, other columns need the space. */
export const UNTIL_LG_AND_FROM_XL = "hidden sm:table-cell lg:hidden xl:table-cell";
export const FROM_XL = "hidden xl:table-cell";

export const WORKFLOW_COLUMNS: readonly Column[] = [
  { key: "choose", label: "Choose", isLabelHidden: true, className: "w-8" },
  { key: "drawing", label: "Drawing", isLabelHidden: true, className: `${UNTIL_LG_AND_FROM_XL} w-14 pr-0` },
  { key: "name", label: "Name", className: "w-full max-w-0 min-w-32" },
  { key: "state", label: "State" },
  { key: "type", label: "Type", className: FROM_LG },
  { key: "slug", label: "Slug or trigger", className: FROM_LG },
  { key: "last-run", label: "Last run", className: FROM_SM },
  { key: "activity", label: "7 days", className: FROM_LG },
  { key: "owner", label: "Owner", className: FROM_XL },
  { key: "updated", label: "Updated", className: FROM_SM },
  { key: "menu", label: "More", isLabelHidden: true, className: "w-10" },
];
