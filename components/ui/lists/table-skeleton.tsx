import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";
import { Table, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/lists/table";

export interface Column {
  key: string;
  label: string;
  /** Classes of the header and the cells: width, alignment, and the screen width from which the column shows. */
  className?: string;
  /** True if only screen readers get the header, as for a column of buttons. */
  isLabelHidden?: boolean;
}

export function ColumnHeads({ columns }: { columns: readonly Column[] }) {
  return (
    <TableHead>
      {columns.map((column) => (
        <TableHeader key={column.key} className={column.className}>
          {column.isLabelHidden ? <span className="sr-only">{column.label}</span> : column.label}
        </TableHeader>
      ))}
    </TableHead>
  );
}

const ROWS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/** The table with bars in place of text. */
export function TableSkeleton({
  columns,
  label,
  rows = 6,
}: {
  columns: readonly Column[];
  label: string;
  rows?: number;
}) {
  return (
    <>
      <LoadingLabel>{label}</LoadingLabel>
      <Table caption={label}>
        <ColumnHeads columns={columns} />
        <tbody>
          {ROWS.slice(0, rows).map((row) => (
            <TableRow key={row} className="hover:bg-transparent">
              {columns.map((column, index) => (
                <TableCell key={column.key} className={column.className}>
                  {column.isLabelHidden ? null : <Skeleton className={index === 0 ? "h-3.5 w-32" : "h-3.5 w-16"} />}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </>
  );
}
