"use client";

import { clsx } from "clsx";
import { ChevronDown, ChevronRight, Pin, Plus, Table2 } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useMemo } from "react";
import type { Analysis } from "@/components/canvas/document/analysis";
import { dragReference } from "@/components/canvas/expressions/insert-reference";
import type { DataNode } from "@/components/canvas/panel/data/data-node";
import { type Mark, markOfPath } from "@/components/canvas/panel/data/list-data-steps";
import type { TreeRow } from "@/components/canvas/panel/data/tree-rows";
import { KindTile } from "@/components/canvas/view/kind-tile";
import { isTable } from "@/components/features/json/list-tables";
import { printValue } from "@/components/features/json/print-value";

const INDENT = 14;
/** Deeper rows are not indented further, so that their names stay readable. */
const INDENTED_MAX = 10;

interface TreeRowViewProps {
  row: TreeRow;
  top: number;
  height: number;
  isActive: boolean;
  analysis: Analysis;
  onKeyDown: (event: KeyboardEvent) => void;
  onFocus: () => void;
  onToggle: () => void;
  onUse: (node: DataNode) => void;
  onTable: (node: DataNode) => void;
}

/** One line: a step, or a value with its type and its last known content. A click inserts it; a step opens and closes. */
export function TreeRowView({ row, top, height, isActive, analysis, ...actions }: TreeRowViewProps) {
  const { node, level, position, setSize, isOpen } = row;
  const { expression } = node;
  const isStep = level === 1;
  const mark = useMemo(() => markOf(analysis, node), [analysis, node]);
  const sample = isStep || node.value === undefined ? null : printValue(node.value);
  function press() {
    if (expression === null || (isStep && isOpen !== null)) actions.onToggle();
    else actions.onUse(node);
  }
  return (
    <div
      role="treeitem"
      tabIndex={isActive ? 0 : -1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={setSize}
      aria-expanded={isOpen ?? undefined}
      aria-selected={isActive}
      title={titleOf(node, mark)}
      draggable={expression !== null}
      onDragStart={({ dataTransfer }) => (expression === null ? undefined : dragReference(dataTransfer, expression))}
      onClick={press}
      onKeyDown={actions.onKeyDown}
      onFocus={actions.onFocus}
      className={clsx(
        "group/row absolute inset-x-0 flex cursor-pointer items-center gap-1.5 pr-2 text-dense -outline-offset-2 hover:bg-sunken",
        isStep && "border-t border-border bg-surface first:border-t-0",
      )}
      style={{ transform: `translateY(${top}px)`, height, paddingLeft: 4 + Math.min(level - 1, INDENTED_MAX) * INDENT }}
    >
      <Chevron isOpen={isOpen} onToggle={actions.onToggle} />
      {isStep ? <StepWords node={node} /> : <ValueWords label={node.label} sample={sample} />}
      {mark === null ? null : (
        <span className="shrink-0 text-micro text-warn">
          <Comma />
          {mark.words}
        </span>
      )}
      {isStep && isOpen !== null && expression !== null ? (
        <RowButton icon={Plus} title={`Insert ${expression}`} onClick={() => actions.onUse(node)} isQuiet />
      ) : null}
      {isTable(node.value) ? (
        <RowButton icon={Table2} title="Show as a table" onClick={() => actions.onTable(node)} />
      ) : null}
      {isStep ? <Origin node={node} /> : <TypeWord type={node.type} />}
    </div>
  );
}

function markOf(analysis: Analysis, { step, path }: DataNode): Mark | null {
  if (path.length === 0) return step.mark;
  const mark = markOfPath(analysis, step, path);
  // What a value inherits is said where it starts.
  const before = path.length === 1 ? step.mark : markOfPath(analysis, step, path.slice(0, -1));
  return mark?.reason === before?.reason ? null : mark;
}

function titleOf({ expression, description }: DataNode, mark: Mark | null): string {
  const read = expression ?? "No expression can read this value, because a name in it is too long.";
  return [read, description, mark?.reason ?? ""].filter((line) => line !== "").join("\n");
}

function Chevron({ isOpen, onToggle }: { isOpen: boolean | null; onToggle: () => void }): ReactNode {
  if (isOpen === null) return <span aria-hidden className="w-6 shrink-0" />;
  return <RowButton icon={isOpen ? ChevronDown : ChevronRight} title={isOpen ? "Close" : "Open"} onClick={onToggle} />;
}

interface RowButtonProps {
  icon: typeof Plus;
  title: string;
  onClick: () => void;
  /** Shown only on the row under the pointer. */
  isQuiet?: boolean;
}

/** For the pointer only: the same is done with keys on the tree. */
function RowButton({ icon: Icon, title, onClick, isQuiet = false }: RowButtonProps) {
  return (
    <button
      type="button"
      aria-hidden
      tabIndex={-1}
      title={title}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
      className={clsx(
        "flex size-6 shrink-0 items-center justify-center rounded-1 text-text-3 hover:text-text",
        isQuiet && "opacity-0 group-hover/row:opacity-100",
      )}
    >
      <Icon className="size-3.5" />
    </button>
  );
}

/** Separates the words of a row for a screen reader, which reads them as its name. */
function Comma() {
  return <span className="sr-only">, </span>;
}

function StepWords({ node: { step } }: { node: DataNode }) {
  return (
    <>
      <KindTile type={step.node.type} isSmall />
      <span className="min-w-0 flex-1 truncate">
        <span className="font-mono font-medium">{step.name}</span>
        <Comma />
        <span className="ml-1.5 text-text-3">{step.isOwn && step.reads === "item" ? "each item" : step.label}</span>
      </span>
    </>
  );
}

function ValueWords({ label, sample }: { label: string; sample: string | null }) {
  return (
    <span className="min-w-0 flex-1 truncate font-mono">
      <span className="text-text-2">{label}</span>
      {sample === null ? null : (
        <>
          <Comma />
          <span className="ml-2 text-micro text-text-3">{sample}</span>
        </>
      )}
    </span>
  );
}

function TypeWord({ type }: { type: string }) {
  return (
    <span className="shrink-0 text-micro text-text-3">
      <Comma />
      {type}
    </span>
  );
}

const ORIGINS = { pinned: "pinned", test: "last test", event: "last event", item: "first item" } as const;

function Origin({ node: { step } }: { node: DataNode }) {
  return (
    <span className="flex shrink-0 items-center gap-1 text-micro text-text-3">
      <Comma />
      {step.origin === "pinned" ? <Pin aria-hidden className="size-3" /> : null}
      {step.origin === null ? `step ${step.step}` : ORIGINS[step.origin]}
    </span>
  );
}
