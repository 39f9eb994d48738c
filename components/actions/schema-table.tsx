import type { PropertySchema } from "#lib/contract/json-schema";
import { Table, TableCell, TableRow } from "@/components/ui/table";
import { type Column, ColumnHeads } from "@/components/ui/table-skeleton";

const COLUMNS: readonly Column[] = [
  { key: "name", label: "Field" },
  { key: "type", label: "Type" },
  { key: "required", label: "Required" },
  { key: "about", label: "About", className: "w-full" },
];

interface SchemaTableProps {
  properties: Record<string, PropertySchema>;
  /** Null for an output: everything may come. */
  required: readonly string[] | null;
}

export function SchemaTable({ properties, required }: SchemaTableProps) {
  const entries = Object.entries(properties);
  if (entries.length === 0) return <p className="text-text-2">No fields.</p>;
  const columns = required === null ? COLUMNS.filter((column) => column.key !== "required") : COLUMNS;
  return (
    <div className="overflow-hidden rounded-3 border border-border">
      <Table caption="Fields" isPlain>
        <ColumnHeads columns={columns} />
        <tbody>
          {entries.map(([name, property]) => (
            <TableRow key={name} className="last:border-b-0 hover:bg-transparent">
              <TableCell className="align-top font-mono text-dense">{name}</TableCell>
              <TableCell className="align-top font-mono text-dense text-text-2">{typeWords(property)}</TableCell>
              {required === null ? null : (
                <TableCell className="align-top">
                  {required.includes(name) ? "Required" : <span className="text-text-3">Optional</span>}
                </TableCell>
              )}
              <TableCell className="min-w-40 align-top whitespace-normal text-text-2">
                <About property={property} />
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function typeWords(property: PropertySchema): string {
  return property.type === "array" && property.items ? `array of ${property.items.type}` : property.type;
}

function About({ property }: { property: PropertySchema }) {
  return (
    <>
      {property.description}
      {property.enum === undefined ? null : (
        <span className="block">
          One of{" "}
          <code className="font-mono text-dense">{property.enum.map((value) => JSON.stringify(value)).join(", ")}</code>
        </span>
      )}
      {property.default === undefined ? null : (
        <span className="block">
          Default <code className="font-mono text-dense">{JSON.stringify(property.default)}</code>
        </span>
      )}
    </>
  );
}
