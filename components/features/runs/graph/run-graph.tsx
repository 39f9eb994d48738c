"use client";

import { useCallback, useMemo, useRef, useState } from "react";
import type { StepItem } from "#lib/contract/run/journal";
import type { RunObject } from "#lib/contract/run/run";
import type { RunGraphObject } from "#lib/contract/wire/web";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { GRID, type Sizes } from "@/components/canvas/document/dimensions";
import {
  Background,
  BackgroundVariant,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
} from "@/components/canvas/view/flow";
import { applyZoomLook, ZOOM_MIN } from "@/components/canvas/view/zoom-look";
import { type ChosenItems, itemsAround, loopPath } from "@/components/features/runs/graph/choose-items";
import { GraphLine } from "@/components/features/runs/graph/graph-line";
import { GraphCard, GraphLoop } from "@/components/features/runs/graph/graph-node";
import { ChooseItemContext } from "@/components/features/runs/graph/item-stepper";
import { projectRun, type RunEdge, type RunNode } from "@/components/features/runs/graph/project-run";
import "@/components/canvas/view/canvas.css";

const NODE_TYPES = { step: GraphCard, loop: GraphLoop };
const EDGE_TYPES = { line: GraphLine };
const FIT = { padding: 0.12, maxZoom: 1, minZoom: ZOOM_MIN };

interface RunGraphProps {
  run: RunObject;
  graph: RunGraphObject;
  selectedId: string | null;
  /** The step of a node in one item, if a single item is selected. */
  selectedStep: StepItem | null;
  /** @param path of the selected item, null for a node with all items selected */
  onSelect: (nodeId: string, path: string | null) => void;
}

/**
 * Shows the graph of the version that ran, with the status of each step and the path that the run took. Never today's
 * draft.
 */
export function RunGraph({ run, graph, selectedId, selectedStep, onSelect }: RunGraphProps) {
  const known = useMemo(() => new Map(graph.definition.nodes.map((node) => [node.id, node])), [graph]);
  const [chosen, chooseItem] = useChosenItems(selectedStep, known);
  const [sizes, setSizes] = useState<Sizes>({});
  const pane = useRef<HTMLElement>(null);
  const { nodes, edges } = useMemo(
    () => projectRun(run, graph, selectedId, chosen, sizes),
    [run, graph, selectedId, chosen, sizes],
  );
  const select = (nodeId: string) => {
    const indexes = loopPath(known, nodeId).map((loop) => chosen[loop]);
    onSelect(nodeId, indexes.length === 0 || indexes.includes(undefined) ? null : indexes.join("."));
  };
  return (
    <section
      ref={pane}
      aria-label={graph.version === null ? "The draft that ran" : `Version ${graph.version}, which ran`}
      className="workflow-canvas h-[70dvh] lg:sticky lg:top-bar lg:h-[calc(100dvh-var(--h-bar)-40px)]"
    >
      <ChooseItemContext value={chooseItem}>
        <ReactFlowProvider>
          <ReactFlow<RunNode, RunEdge>
            nodes={nodes}
            edges={edges}
            nodeTypes={NODE_TYPES}
            edgeTypes={EDGE_TYPES}
            nodesDraggable={false}
            nodesConnectable={false}
            edgesFocusable={false}
            elevateNodesOnSelect={false}
            deleteKeyCode={null}
            onNodeClick={(_event, node) => select(node.id)}
            onNodesChange={(changes) => {
              setSizes((before) => measuredSizes(before, changes));
              // A selection with Enter, which is not a click.
              const picked = changes.find((change) => change.type === "select" && change.selected);
              if (picked?.type === "select") select(picked.id);
            }}
            onlyRenderVisibleElements={nodes.length > 100}
            minZoom={ZOOM_MIN}
            maxZoom={1.6}
            onMove={(_event, { zoom }) => applyZoomLook(pane.current, zoom)}
            fitView
            fitViewOptions={FIT}
            zoomOnDoubleClick={false}
            preventScrolling={false}
            attributionPosition="bottom-left"
          >
            <Background variant={BackgroundVariant.Dots} gap={GRID} size={1.5} />
          </ReactFlow>
        </ReactFlowProvider>
      </ChooseItemContext>
    </section>
  );
}

/** Returns the sizes of the cards, which depend on their content. */
function measuredSizes(before: Sizes, changes: readonly NodeChange<RunNode>[]): Sizes {
  const measured = changes.flatMap((change) =>
    change.type === "dimensions" && change.dimensions !== undefined ? [[change.id, change.dimensions] as const] : [],
  );
  const isSame = measured.every(
    ([id, { width, height }]) => before[id]?.width === width && before[id].height === height,
  );
  return isSame ? before : { ...before, ...Object.fromEntries(measured) };
}

/** The selected items: those of the selected step until the user steps to another item. */
function useChosenItems(selected: StepItem | null, known: ReadonlyMap<string, GraphNode>) {
  const [state, setState] = useState<{ of: string | null; items: ChosenItems }>({ of: null, items: {} });
  const of = selected?.iteration == null ? null : `${selected.iteration.loop_id}|${selected.iteration.path}`;
  const isNew = of !== null && of !== state.of;
  const items = isNew && selected !== null ? { ...state.items, ...itemsAround(selected, known) } : state.items;
  if (isNew) setState({ of, items });
  const choose = useCallback(
    (loopId: string, index: number | null) =>
      setState(({ items: { [loopId]: _former, ...rest }, ...state }) => ({
        ...state,
        items: index === null ? rest : { ...rest, [loopId]: index },
      })),
    [],
  );
  return [items, choose] as const;
}
