"use client";

import { clsx } from "clsx";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { writeExpression } from "#lib/core/expressions/write-expression";
import { formatCount } from "#lib/support/format/format-number";
import { flattenJson, type JsonRow, type OpenPlaces } from "@/components/features/json/flatten-json";
import { JsonLeaf } from "@/components/features/json/json-leaf";
import { copyText } from "@/components/ui/copy-text";
import { VirtualRows } from "@/components/ui/lists/virtual-rows";

const ROW_HEIGHT = 20;
const INDENT = 14;

interface JsonTreeProps {
  value: unknown;
  label: string;
  expressionRoot: string | undefined;
  /** The current match, and the rows that must be open to show it. */
  found: { pointer: string; around: readonly string[] } | null;
}

/**
 * Shows a value as lines that open and close. Clicking a name copies the expression that reads it; clicking the dots
 * copies its value.
 */
export function JsonTree({ value, label, expressionRoot, found }: JsonTreeProps) {
  const [places, setPlaces] = useState<OpenPlaces>(NO_PLACES);
  const opened = useMemo(
    () => (found === null ? places : new Map([...places, ...found.around.map((pointer) => [pointer, true] as const)])),
    [places, found],
  );
  const rows = useMemo(() => flattenJson(value, opened), [value, opened]);
  const foundIndex = found === null ? -1 : rows.findIndex((row) => row.pointer === found.pointer);
  return (
    <VirtualRows
      label={label}
      count={rows.length}
      keyOf={(index) => rows[index]?.pointer ?? ""}
      rowHeight={ROW_HEIGHT}
      shownIndex={foundIndex === -1 ? null : foundIndex}
    >
      {(index) => {
        const row = rows[index];
        return row === undefined ? null : (
          <JsonLine
            row={row}
            expressionRoot={expressionRoot}
            isFound={index === foundIndex}
            onToggle={() => setPlaces(new Map([...opened, [row.pointer, !row.isOpen]]))}
          />
        );
      }}
    </VirtualRows>
  );
}

const NO_PLACES: OpenPlaces = new Map();

interface JsonLineProps {
  row: JsonRow;
  expressionRoot: string | undefined;
  isFound: boolean;
  onToggle: () => void;
}

function JsonLine({ row, expressionRoot, isFound, onToggle }: JsonLineProps) {
  const { name, value, depth, childCount, isOpen } = row;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div
      className={clsx("group flex items-start gap-1 rounded-1 pr-1 hover:bg-text/4", isFound && "bg-warn-bg")}
      style={{ paddingLeft: INDENT * Math.min(depth, 12) }}
    >
      {childCount === null ? (
        <span className="w-6 shrink-0" />
      ) : (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Close" : "Open"} ${name ?? "the value"}`}
          onClick={onToggle}
          className="-my-[3px] flex size-6 shrink-0 items-center justify-center rounded-1 text-text-3 hover:text-text"
        >
          <Chevron aria-hidden className="size-3.5" />
        </button>
      )}
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <LineName row={row} expressionRoot={expressionRoot} />
        {childCount === null ? (
          <JsonLeaf value={value} />
        ) : (
          <span className="text-text-3">{summaryOf(value, childCount)}</span>
        )}
      </span>
      <button
        type="button"
        aria-label={name === null ? "Copy the whole value" : `Copy the value of ${name}`}
        onClick={() => copyText(typeof value === "string" ? value : JSON.stringify(value, null, 2), "Value copied.")}
        className="shrink-0 rounded-1 px-1 text-micro text-text-2 opacity-0 group-hover:opacity-100 hover:text-text focus-visible:opacity-100"
      >
        Copy
      </button>
    </div>
  );
}

function LineName({ row: { name, path }, expressionRoot }: Pick<JsonLineProps, "row" | "expressionRoot">) {
  if (name === null) return null;
  if (expressionRoot === undefined) return <span className="text-text-2">{name}: </span>;
  const expression = writeExpression(expressionRoot, path);
  return (
    <>
      <button
        type="button"
        title={`Copy ${expression}`}
        className="rounded-1 text-text-2 hover:text-accent hover:underline"
        onClick={() => copyText(expression, `Copied ${expression}`)}
      >
        {name}
      </button>
      <span className="text-text-2">: </span>
    </>
  );
}

function summaryOf(value: unknown, count: number): string {
  return formatCount(count, Array.isArray(value) ? "item" : "field");
}
