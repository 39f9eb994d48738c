import type { InputSchema, PropertySchema } from "#lib/contract/wire/json-schema";
import type { SchemaChange } from "#lib/contract/workflow/workflow";
import { currentSchema } from "#lib/core/input/input-aliases";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { FROM_SM } from "@/components/ui/lists/column-widths";
import { Table, TableCell, TableRow } from "@/components/ui/lists/table";
import { type Column, ColumnHeads } from "@/components/ui/lists/table-skeleton";

/** On narrow screens, both are below the field. */

const COLUMNS: readonly Column[] = [
  { key: "field", label: "Field" },
  { key: "was", label: "Was", className: FROM_SM },
  { key: "now", label: "Now", className: FROM_SM },
  { key: "verdict", label: "Verdict" },
];

interface ChangeTableProps {
  changes: readonly SchemaChange[];
  before: InputSchema;
  after: InputSchema;
  /** Null if what is compared cannot be edited. */
  onKeepName: KeepName | null;
}

/** Keeps the old name of a renamed field as an alias, or no longer. */
export type KeepName = (change: SchemaChange, isKept: boolean) => void;

/** Lists the input changes field by field, each with what it means for callers; a renamed field is one row. */
export function ChangeTable({ changes, before, after, onKeepName }: ChangeTableProps) {
  return (
    <div className="overflow-hidden rounded-3 border border-border">
      <Table caption="Input changes" isPlain>
        <ColumnHeads columns={COLUMNS} />
        <tbody>
          {changes.map((change) => (
            <TableRow key={`${change.field} ${change.kind}`} className="last:border-b-0 hover:bg-transparent">
              <TableCell className="align-top font-mono text-dense max-sm:min-w-28 max-sm:whitespace-normal max-sm:[overflow-wrap:anywhere]">
                {change.field}
                {change.new_field === undefined ? null : (
                  <span className="block">
                    <span aria-hidden>→ </span>
                    <span className="sr-only">now </span>
                    {change.new_field}
                  </span>
                )}
                <span className="block text-text-2 sm:hidden">
                  {describeProperty(before, change.field)}
                  <span aria-hidden> → </span>
                  <span className="sr-only"> now </span>
                  {describeProperty(after, change.new_field ?? change.field)}
                </span>
              </TableCell>
              <TableCell className={`${FROM_SM} align-top font-mono text-dense text-text-2`}>
                {describeProperty(before, change.field)}
              </TableCell>
              <TableCell className={`${FROM_SM} align-top font-mono text-dense text-text-2`}>
                {describeProperty(after, change.new_field ?? change.field)}
              </TableCell>
              <TableCell className="w-full align-top sm:min-w-56">
                <Chip tone={change.breaking ? "err" : "ok"}>{change.breaking ? "Breaking" : "Safe"}</Chip>
                <span className="mt-1 block text-dense whitespace-normal text-text-2 [overflow-wrap:anywhere]">
                  {change.message}
                </span>
                {change.kind === "renamed" && onKeepName !== null ? (
                  <Button size="sm" className="mt-1.5" onClick={() => onKeepName(change, change.breaking)}>
                    {change.breaking ? "Keep the old name as an alias" : "Stop accepting the old name"}
                  </Button>
                ) : null}
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function describeProperty(schema: InputSchema, field: string): string {
  const property: PropertySchema | undefined = Object.hasOwn(schema.properties, field)
    ? schema.properties[field]
    : undefined;
  if (property === undefined) return "none";
  return `${property.type}${currentSchema(schema).required.includes(field) ? "" : ", optional"}`;
}
