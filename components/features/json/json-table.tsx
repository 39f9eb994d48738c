"use client";

import { clsx } from "clsx";
import { Fragment, type KeyboardEvent, type ReactNode, useMemo, useState } from "react";
import { type JsonTableSource, listColumns } from "@/components/features/json/list-tables";
import { printValue } from "@/components/features/json/print-value";
import { useFocusFollows } from "@/components/ui/lists/use-focus-follows";
import { useNearRows } from "@/components/ui/lists/use-near-rows";

const ROW_HEIGHT = 28;
const POSITION_WIDTH = 52;
const COLUMN_WIDTH = 148;
const PAGE_ROWS = 10;
const SHOWN_LENGTH = 200;
/** A text that is shown in quotes, because it would look like another value: an id of digits is no number. */
const LOOKS_LIKE_JSON = /^(?:-?\d[\d.eE+-]*|true|false|null|[[{"].*)$/s;

/** A place in the table: row -1 is the header, column -1 the position of the item. */
export interface JsonCell {
  row: number;
  column: string | null;
}

interface JsonTableProps {
  rows: JsonTableSource["rows"];
  label: string;
  /** The meaning of a cell, such as the expression that reads it; null for a cell that does nothing. */
  meaningOf: (cell: JsonCell) => string | null;
  /** Called with the meaning of a pressed cell. */
  onUse: (meaning: string) => void;
  /** What pressing a cell does: "Insert" or "Copy". */
  verb: string;
  onEscape?: () => void;
}

/** Shows a list of objects as a table. Arrow keys move between the cells, and Enter uses one. */
export function JsonTable({ rows, label, ...cells }: JsonTableProps) {
  const columns = useMemo(() => [null, ...listColumns(rows)], [rows]);
  const [active, setActive] = useState<Place>({ row: 0, at: 1 });
  const { box, near, height } = useNearRows(rows.length, ROW_HEIGHT, active.row, ROW_HEIGHT);
  useFocusFollows(box, active);
  const cellProps = (row: number, at: number) => ({
    ...cells,
    cell: { row, column: columns[at] ?? null },
    isActive: active.row === row && active.at === at,
    onFocus: () => setActive((before) => (before.row === row && before.at === at ? before : { row, at })),
    onMove: (move: Move) => setActive((before) => clampPlace(move(before), cells, rows.length, columns.length)),
  });
  const width = POSITION_WIDTH + (columns.length - 1) * COLUMN_WIDTH;
  return (
    <div ref={box} className="max-h-[70dvh] min-h-0 overflow-auto font-mono text-dense">
      <table
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className="w-full table-fixed border-collapse"
        style={{ minWidth: width }}
      >
        <thead className="sticky top-0 z-1 bg-sunken">
          <tr aria-rowindex={1}>
            {columns.map((column, at) => (
              <th
                key={column ?? POSITION}
                scope="col"
                className="p-0 text-left font-medium"
                style={{ width: column === null ? POSITION_WIDTH : COLUMN_WIDTH }}
              >
                <Cell {...cellProps(-1, at)}>{column ?? "Item"}</Cell>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {near.map((row, nearAt) => (
            <Fragment key={row}>
              <Gap rows={row - (near[nearAt - 1] ?? -1) - 1} />
              <tr aria-rowindex={row + 2} className="border-t border-border hover:bg-sunken">
                <th scope="row" className="p-0 text-left font-normal text-text-3">
                  <Cell {...cellProps(row, 0)}>{row}</Cell>
                </th>
                {columns.slice(1).map((column, at) => (
                  <td key={column} className="p-0">
                    <Cell {...cellProps(row, at + 1)}>{contentOf(rows[row], column ?? "")}</Cell>
                  </td>
                ))}
              </tr>
            </Fragment>
          ))}
          <Gap rows={height / ROW_HEIGHT - (near.at(-1) ?? -1) - 1} />
        </tbody>
      </table>
    </div>
  );
}

/** Differs from the name of every column. */
const POSITION = "\u0000";
const CELL = "block h-[27px] w-full truncate px-2 text-left leading-[27px]";

/** Takes the place of rows that are not rendered. */
function Gap({ rows }: { rows: number }) {
  return rows <= 0 ? null : (
    <tr aria-hidden>
      <td className="p-0" style={{ height: rows * ROW_HEIGHT }} />
    </tr>
  );
}

interface CellProps extends Omit<JsonTableProps, "rows" | "label"> {
  cell: JsonCell;
  isActive: boolean;
  onFocus: () => void;
  onMove: (move: Move) => void;
  children: ReactNode;
}

function Cell({ cell, isActive, meaningOf, onUse, verb, onEscape, onFocus, onMove, children }: CellProps) {
  const meaning = meaningOf(cell);
  if (meaning === null) return <span className={CELL}>{children}</span>;
  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const move = MOVES.get(event.key);
    if (move !== undefined) onMove(move);
    else if (event.key === "Escape" && onEscape !== undefined) onEscape();
    // On the canvas, these keys delete the selected step.
    else if (event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
  }
  return (
    <button
      type="button"
      tabIndex={isActive ? 0 : -1}
      title={`${verb} ${meaning}`}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={() => onUse(meaning)}
      className={clsx(CELL, "-outline-offset-2 hover:text-accent")}
    >
      {children}
    </button>
  );
}

interface Place {
  row: number;
  at: number;
}

type Move = (from: Place) => Place;

const MOVES: ReadonlyMap<string, Move> = new Map<string, Move>([
  ["ArrowDown", ({ row, at }) => ({ row: row + 1, at })],
  ["ArrowUp", ({ row, at }) => ({ row: row - 1, at })],
  ["ArrowRight", ({ row, at }) => ({ row, at: at + 1 })],
  ["ArrowLeft", ({ row, at }) => ({ row, at: at - 1 })],
  ["Home", ({ row }) => ({ row, at: 0 })],
  ["End", ({ row }) => ({ row, at: Number.MAX_SAFE_INTEGER })],
  ["PageDown", ({ row, at }) => ({ row: row + PAGE_ROWS, at })],
  ["PageUp", ({ row, at }) => ({ row: row - PAGE_ROWS, at })],
]);

function clampPlace(
  { row, at }: Place,
  { meaningOf }: Pick<JsonTableProps, "meaningOf">,
  rows: number,
  columns: number,
): Place {
  const firstRow = meaningOf({ row: -1, column: null }) === null ? 0 : -1;
  return { row: Math.min(rows - 1, Math.max(firstRow, row)), at: Math.min(columns - 1, Math.max(0, at)) };
}

function contentOf(row: Readonly<Record<string, unknown>> | undefined, column: string): string | null {
  if (row === undefined || !Object.hasOwn(row, column)) return null;
  const value = row[column];
  return typeof value === "string" && !LOOKS_LIKE_JSON.test(value) ? value.slice(0, SHOWN_LENGTH) : printValue(value);
}
