import { FROM_LG, FROM_SM } from "@/components/ui/lists/column-widths";
import type { Column } from "@/components/ui/lists/table-skeleton";

export const CONNECTION_TABLE_COLUMNS: readonly Column[] = [
  { key: "name", label: "Name", className: "w-full max-w-0" },
  { key: "connector", label: "Connector", className: FROM_SM },
  { key: "status", label: "Status" },
  { key: "secret", label: "Secret", className: FROM_LG },
  { key: "used", label: "Last used", className: FROM_SM },
  { key: "by", label: "Used by", className: FROM_LG },
  { key: "menu", label: "More", isLabelHidden: true, className: "w-10" },
];
