"use client";

import { clsx } from "clsx";
import { memo, useRef, useState } from "react";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { formatCount } from "#lib/support/format/format-number";
import type { Analysis } from "@/components/canvas/document/analysis";
import { type DataContext, type DataNode, findNode } from "@/components/canvas/panel/data/data-node";
import { DataTable } from "@/components/canvas/panel/data/data-table";
import { DataTree } from "@/components/canvas/panel/data/data-tree";
import { insertValue } from "@/components/canvas/panel/data/insert-value";
import { listDataSteps } from "@/components/canvas/panel/data/list-data-steps";
import { useTree } from "@/components/canvas/panel/data/use-tree";
import { usePanel, usePanelAnalysis } from "@/components/canvas/panel/fields/panel-context";
import type { Known } from "@/components/canvas/samples/known-values";
import { useEditor, useEditorStore, useKnown } from "@/components/canvas/store/draft-context";
import { isTable } from "@/components/features/json/list-tables";
import { Kbd } from "@/components/ui/forms/kbd";
import { SearchField } from "@/components/ui/forms/search-field";

const LABEL = "Data from earlier steps";

interface DataPanelProps {
  /** True if the panel has a column of its own; otherwise it takes at most half of the screen. */
  isTall?: boolean;
}

/** Shows the data of earlier steps: click, drag or press Enter to insert a value into the field that was focused last. */
export function DataPanel({ isTall = false }: DataPanelProps) {
  const { node } = usePanel();
  const context = useDataSteps(node);
  return (
    <section aria-label={LABEL} className={clsx("flex min-h-0 flex-col gap-2", isTall ? "flex-1" : "shrink-0")}>
      <h2 className="font-semibold">{LABEL}</h2>
      {context.steps.length === 0 ? (
        <p className="text-dense text-text-3">No step runs before this one yet. Connect an earlier step to it.</p>
      ) : (
        <StepData nodeId={node.id} context={context} isTall={isTall} />
      )}
    </section>
  );
}

interface StepDataProps {
  nodeId: string;
  context: DataContext;
  isTall: boolean;
}

/** Renders again only when the data changes, not for every letter typed. */
const StepData = memo(function StepData({ nodeId, context, isTall }: StepDataProps) {
  const [search, setSearch] = useState("");
  const [tableKey, setTableKey] = useState<string | null>(null);
  const table = tableKey === null ? null : findNode(context, tableKey);
  const editor = useEditorStore();
  const onUse = (value: DataNode) => insertValue(editor, nodeId, context, value);
  const onTable = (node: DataNode) => (isTable(node.value) ? setTableKey(node.key) : undefined);
  const tree = useTree(context, search, { onUse, onTable });
  if (table !== null && isTable(table.value)) {
    return <DataTable context={context} list={table} rows={table.value} onBack={() => setTableKey(null)} />;
  }
  return (
    <>
      <SearchField label="Search the data" value={search} onChange={setSearch} />
      {tree.found === 0 ? <p className="text-dense text-text-3">No field or value contains this text.</p> : null}
      <div className={clsx("flex min-h-0 flex-col", isTall ? "flex-1" : "max-h-[50dvh]", tree.found === 0 && "hidden")}>
        <DataTree context={context} tree={tree} label={LABEL} onUse={onUse} onTable={onTable} />
      </div>
      <span role="status" className="sr-only">
        {tree.found === null ? "" : formatCount(tree.found, "match", "matches")}
      </span>
      {tree.isComplete ? null : (
        <p className="text-dense text-text-3">The data is too large to search completely. Open a field to see more.</p>
      )}
      <Hint />
    </>
  );
});

function Hint() {
  const isReadOnly = useEditor((state) => state.isReadOnly);
  if (isReadOnly) return null;
  return (
    <p className="text-dense text-text-3">
      Click or drag a value into a field, or choose it with the arrow keys and <Kbd>↵</Kbd>.
    </p>
  );
}

/**
 * Returns the steps whose data a node can use. The result is the same object until something that it depends on
 * changes, so that the tree doesn't render again for every letter that is typed into the node.
 */
function useDataSteps(node: GraphNode): DataContext {
  const analysis = usePanelAnalysis();
  const known = useKnown();
  const last = useRef<{ parts: readonly unknown[]; context: DataContext } | null>(null);
  const parts = dependenciesOf(analysis, node, known);
  const isSame =
    last.current?.parts.length === parts.length && parts.every((part, at) => part === last.current?.parts[at]);
  if (last.current === null || !isSame) {
    last.current = { parts, context: { analysis, steps: listDataSteps(analysis, node.id, known) } };
  }
  return last.current.context;
}

/** Of the node itself, only the list that it works through changes the data. */
function dependenciesOf({ index, steps, catalog }: Analysis, node: GraphNode, known: Known): readonly unknown[] {
  const { nodes, edges } = index.definition;
  const others = nodes.filter((other) => other.id !== node.id);
  return [node.id, node.type, node.data.items, node.parentId, edges, steps, catalog, known, ...others];
}
