"use client";

import { useState } from "react";
import { writeExpression } from "#lib/core/expressions/write-expression";
import { formatCount } from "#lib/support/format/format-number";
import { type JsonCell, JsonTable } from "@/components/features/json/json-table";
import type { JsonTableSource } from "@/components/features/json/list-tables";
import { copyText } from "@/components/ui/copy-text";
import { Select } from "@/components/ui/forms/select";

interface JsonTablesProps {
  /** At least one. */
  tables: readonly JsonTableSource[];
  label: string;
  expressionRoot: string | undefined;
}

/** Shows one of the lists of objects in a value. A cell copies the expression that reads it, or else its value. */
export function JsonTables({ tables, label, expressionRoot }: JsonTablesProps) {
  const [chosen, setChosen] = useState(0);
  const table = tables[chosen] ?? tables[0];
  if (table === undefined) return null;
  const nameOf = ({ path, rows }: JsonTableSource) =>
    `${path.length === 0 ? label : path.join(".")}, ${formatCount(rows.length, "item")}`;
  const copies = ({ row, column }: JsonCell) => {
    if (row === -1) return null;
    const below = column === null ? [row] : [row, column];
    if (expressionRoot !== undefined) return writeExpression(expressionRoot, [...table.path, ...below]);
    return printCell(column === null ? table.rows[row] : table.rows[row]?.[column]);
  };
  return (
    <>
      {tables.length === 1 ? null : (
        <div className="border-b border-border p-2 font-sans">
          <Select aria-label="List" value={String(chosen)} onChange={(event) => setChosen(Number(event.target.value))}>
            {tables.map((one, at) => (
              <option key={nameOf(one)} value={String(at)}>
                {nameOf(one)}
              </option>
            ))}
          </Select>
        </div>
      )}
      <JsonTable
        key={chosen}
        rows={table.rows}
        label={`${nameOf(table)} as a table`}
        verb="Copy"
        meaningOf={copies}
        onUse={(text) => copyText(text, expressionRoot === undefined ? "Value copied." : `Copied ${text}`)}
      />
    </>
  );
}

function printCell(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
