"use client";

import { X } from "lucide-react";
import type { RefObject } from "react";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { nodeLabel } from "#lib/core/steps/node-data";
import { problemsOf, settledProblems } from "@/components/canvas/document/analysis";
import { appOf } from "@/components/canvas/document/app-of";
import { isEnd } from "@/components/canvas/document/branches-of";
import { frameOfNode, framesOf, ROOT } from "@/components/canvas/document/frames";
import { outgoingInPortOrder } from "@/components/canvas/document/step-order";
import { moveOutlineFocus } from "@/components/canvas/editor/outline/outline-focus";
import { OutlineNotes } from "@/components/canvas/editor/outline/outline-notes";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useAnalysis, useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { KindTile } from "@/components/canvas/view/kind-tile";
import { IconButton } from "@/components/ui/icon-button";

interface OutlineProps {
  controls: RefObject<CanvasControls>;
}

/** Shows the workflow as a list in reading order, for screen readers and for quick navigation. */
export function Outline({ controls }: OutlineProps) {
  const analysis = useAnalysis();
  const selected = useEditor((state) => state.selectedNodeIds);
  const rows = [...analysis.steps].sort((a, b) => a[1] - b[1]).map(([id]) => id);
  const tabStop = rows.find((id) => selected.includes(id)) ?? rows[0] ?? null;
  return (
    <nav
      aria-label="Workflow outline"
      className="absolute inset-0 z-10 flex flex-col border-border bg-app md:static md:w-64 md:min-w-40 md:border-r"
    >
      <header className="flex items-center justify-between py-1.5 pr-2 pl-4">
        <h2 className="font-semibold">Outline</h2>
        <IconButton icon={X} size="sm" label="Close the outline" onClick={() => controls.current.toggleOutline()} />
      </header>
      {rows.length === 0 ? <p className="px-4 text-text-2">No steps yet.</p> : null}
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        <OutlineRows frame={ROOT} tabStop={tabStop} controls={controls} />
        <OutlineNotes controls={controls} hasTabStop={tabStop === null} />
      </div>
    </nav>
  );
}

interface OutlineRowsProps extends OutlineProps {
  /** The frame whose steps are listed. */
  frame: string;
  tabStop: string | null;
}

/** Lists the steps of a frame; a loop's row contains the list of its body. */
function OutlineRows({ frame, tabStop, controls }: OutlineRowsProps) {
  const analysis = useAnalysis();
  const { bodyOf } = framesOf(analysis.index.definition);
  const stepOf = (node: GraphNode) => analysis.steps.get(node.id) ?? 0;
  const nodes = [...(bodyOf.get(frame) ?? [])].sort((a, b) => stepOf(a) - stepOf(b));
  return (
    <ul className={frame === ROOT ? "flex flex-col" : "ml-4 flex flex-col border-l border-border pl-1"}>
      {nodes.map((node) => (
        <li key={node.id}>
          <OutlineRow node={node} isTabStop={node.id === tabStop} controls={controls} />
          {bodyOf.has(node.id) ? <OutlineRows frame={node.id} tabStop={tabStop} controls={controls} /> : null}
        </li>
      ))}
    </ul>
  );
}

interface OutlineRowProps extends OutlineProps {
  node: GraphNode;
  isTabStop: boolean;
}

function OutlineRow({ node, isTabStop, controls }: OutlineRowProps) {
  const editor = useEditorStore();
  const analysis = useAnalysis();
  const isSelected = useEditor((state) => state.selectedNodeIds.includes(node.id));
  const problems = useEditor((state) => settledProblems(problemsOf(analysis, node.id), state).length);
  const next = outgoingInPortOrder(analysis.index.definition, node.id)
    .map((edge) => analysis.steps.get(edge.target))
    .join(", ");
  return (
    <button
      type="button"
      data-outline-row
      tabIndex={isTabStop ? 0 : -1}
      aria-current={isSelected ? "step" : undefined}
      onKeyDown={moveOutlineFocus}
      onClick={() => {
        editor.getState().open(node.id);
        controls.current.showNode(node.id);
      }}
      className="flex w-full items-center gap-2 rounded-2 px-2 py-1.5 text-left -outline-offset-2 hover:bg-sunken aria-[current]:bg-accent-weak"
    >
      <KindTile type={node.type} app={appOf(node)} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">
          {analysis.steps.get(node.id)}. {nodeLabel(node)}
        </span>
        <span className="block truncate text-micro text-text-3">
          {describeNext(analysis.index.definition, node, next)}
          {problems > 0 ? <span className="text-err"> · {problems} to fix</span> : null}
        </span>
      </span>
    </button>
  );
}

function describeNext(definition: Definition, node: GraphNode, next: string): string {
  if (next !== "") return `Then step ${next}`;
  if (isEnd(node)) return "The run ends";
  return frameOfNode(definition, node.id) === ROOT ? "Not connected yet" : "Ends the iteration";
}
