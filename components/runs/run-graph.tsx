"use client";

import { useMemo } from "react";
import type { RunObject } from "#lib/contract/run";
import type { RunGraphObject } from "#lib/contract/web";
import { GRID } from "@/components/canvas/dimensions";
import { Background, BackgroundVariant, ReactFlow, ReactFlowProvider } from "@/components/canvas/flow";
import { GraphLine } from "@/components/runs/graph-line";
import { GraphCard, GraphLoop } from "@/components/runs/graph-node";
import { projectRun, type RunEdge, type RunNode } from "@/components/runs/project-run";
import "@/components/canvas/canvas.css";

const NODE_TYPES = { step: GraphCard, loop: GraphLoop };
const EDGE_TYPES = { line: GraphLine };
const FIT = { padding: 0.12, maxZoom: 1, minZoom: 0.2 };

interface RunGraphProps {
  run: RunObject;
  graph: RunGraphObject;
  selectedId: string | null;
  onSelect: (nodeId: string) => void;
}

/** The graph of the version that ran, with what became of each step, and the way that was taken. Never today's draft. */
export function RunGraph({ run, graph, selectedId, onSelect }: RunGraphProps) {
  const { nodes, edges } = useMemo(() => projectRun(run, graph, selectedId), [run, graph, selectedId]);
  return (
    <section
      aria-label={graph.version === null ? "The draft that ran" : `Version ${graph.version}, which ran`}
      className="workflow-canvas h-[70dvh] lg:sticky lg:top-bar lg:h-[calc(100dvh-var(--h-bar)-40px)]"
    >
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
          onNodeClick={(_event, node) => onSelect(node.id)}
          onNodesChange={(changes) => {
            // Chosen with Enter, which is no click.
            const chosen = changes.find((change) => change.type === "select" && change.selected);
            if (chosen?.type === "select") onSelect(chosen.id);
          }}
          onlyRenderVisibleElements={nodes.length > 100}
          minZoom={0.1}
          maxZoom={1.6}
          fitView
          fitViewOptions={FIT}
          zoomOnDoubleClick={false}
          preventScrolling={false}
          attributionPosition="bottom-left"
        >
          <Background variant={BackgroundVariant.Dots} gap={GRID} size={1.5} />
        </ReactFlow>
      </ReactFlowProvider>
    </section>
  );
}
