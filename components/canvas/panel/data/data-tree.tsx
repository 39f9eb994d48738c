"use client";

import type { DataContext, DataNode } from "@/components/canvas/panel/data/data-node";
import { TreeRowView } from "@/components/canvas/panel/data/tree-row-view";
import type { TreeState } from "@/components/canvas/panel/data/use-tree";
import { useFocusFollows } from "@/components/ui/lists/use-focus-follows";
import { useNearRows } from "@/components/ui/lists/use-near-rows";

const ROW_HEIGHT = 26;

interface DataTreeProps {
  tree: TreeState;
  context: DataContext;
  label: string;
  onUse: (node: DataNode) => void;
  onTable: (node: DataNode) => void;
}

/** Shows earlier data as a tree. Only its active row can be reached with Tab; arrow keys move between the rows. */
export function DataTree({ tree, context, label, onUse, onTable }: DataTreeProps) {
  const { rows, active } = tree;
  const { box, near, height } = useNearRows(rows.length, ROW_HEIGHT, active);
  useFocusFollows(box, rows[active]?.node.key);
  return (
    <div
      ref={box}
      role="tree"
      aria-label={label}
      className="min-h-0 flex-1 overflow-y-auto rounded-2 border border-border bg-surface"
    >
      <div role="presentation" className="relative" style={{ height }}>
        {near.map((index) => {
          const row = rows[index];
          return row === undefined ? null : (
            <TreeRowView
              key={row.node.key}
              row={row}
              top={index * ROW_HEIGHT}
              height={ROW_HEIGHT}
              isActive={index === active}
              analysis={context.analysis}
              onKeyDown={tree.onKeyDown}
              onFocus={() => tree.activate(row.node)}
              onToggle={() => tree.toggle(row)}
              onUse={onUse}
              onTable={onTable}
            />
          );
        })}
      </div>
    </div>
  );
}
