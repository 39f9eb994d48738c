import { FROM_LG, FROM_SM } from "@/components/ui/lists/column-widths";
import type { Column } from "@/components/ui/lists/table-skeleton";

/** A window of this width has space for the columns next to the sidebar, with the longest words of each column. */
export const FROM_XL = "hidden xl:table-cell";
export const FROM_1440 = "hidden min-[1440px]:table-cell";
export const FROM_2XL = "hidden 2xl:table-cell";
/** Between these widths, the trigger needs the space. */
export const UNTIL_XL_AND_FROM_1440 = "hidden md:table-cell xl:hidden min-[1440px]:table-cell";

export const WORKFLOW_COLUMNS: readonly Column[] = [
  { key: "choose", label: "Choose", isLabelHidden: true, className: "w-8" },
  { key: "drawing", label: "Drawing", isLabelHidden: true, className: `${FROM_LG} w-14 pr-0` },
  { key: "name", label: "Name", className: "w-full max-w-0 min-w-32" },
  { key: "state", label: "State" },
  { key: "type", label: "Type", className: FROM_XL },
  { key: "slug", label: "Slug or trigger", className: FROM_XL },
  { key: "last-run", label: "Last run", className: FROM_SM },
  { key: "activity", label: "7 days", className: FROM_1440 },
  { key: "owner", label: "Owner", className: FROM_2XL },
  { key: "updated", label: "Updated", className: UNTIL_XL_AND_FROM_1440 },
  { key: "menu", label: "More", isLabelHidden: true, className: "w-10" },
];
