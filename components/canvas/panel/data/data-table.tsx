"use client";

import { ArrowLeft } from "lucide-react";
import { useEffect, useRef } from "react";
import { formatCount } from "#lib/support/format/format-number";
import { type DataContext, type DataNode, expressionAt, itemNode } from "@/components/canvas/panel/data/data-node";
import { insertOrCopy } from "@/components/canvas/panel/data/insert-value";
import { type JsonCell, JsonTable } from "@/components/features/json/json-table";
import type { JsonTableSource } from "@/components/features/json/list-tables";
import { IconButton } from "@/components/ui/icon-button";

interface DataTableProps {
  context: DataContext;
  list: DataNode;
  rows: JsonTableSource["rows"];
  onBack: () => void;
}

/**
 * Shows a list of objects as a table whose cells insert what they show. If a loop reads the list, a header inserts the
 * field of each item.
 */
export function DataTable({ context, list, rows, onBack }: DataTableProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>("table [tabindex='0']")?.focus(), []);
  const each = itemNode(context, list);
  const name = list.path.length === 0 ? list.step.name : list.label;
  return (
    <div ref={box} className="flex min-h-0 flex-1 flex-col gap-2">
      <div className="flex items-center gap-2">
        <IconButton icon={ArrowLeft} size="sm" label="Back to all data" onClick={onBack} />
        <h3 className="min-w-0 flex-1 truncate font-mono text-dense">{name}</h3>
        <span className="shrink-0 text-dense text-text-3">{formatCount(rows.length, "item")}</span>
      </div>
      <div className="flex min-h-0 flex-col overflow-hidden rounded-2 border border-border bg-surface">
        <JsonTable
          rows={rows}
          label={`${name} as a table`}
          verb="Insert"
          meaningOf={(cell) => expressionOf(each, list, cell)}
          onUse={insertOrCopy}
          onEscape={onBack}
        />
      </div>
    </div>
  );
}

/** The expression of a cell or of a whole item; in the header, of a field of each item, if a loop reads the list. */
function expressionOf(each: DataNode | null, { step, path }: DataNode, { row, column }: JsonCell): string | null {
  const below = column === null ? [] : [column];
  if (row >= 0) return expressionAt(step, [...path, row, ...below]);
  return each === null ? null : expressionAt(each.step, [...each.path, ...below]);
}
