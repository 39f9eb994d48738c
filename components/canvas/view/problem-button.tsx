"use client";

import { TriangleAlert } from "lucide-react";
import type { RefObject } from "react";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { nodeLabel } from "#lib/core/steps/node-data";
import { appOf } from "@/components/canvas/document/app-of";
import { describeProblem } from "@/components/canvas/document/describe-problem";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useAnalysis, useEditorStore } from "@/components/canvas/store/draft-context";
import { KindTile } from "@/components/canvas/view/kind-tile";

/** Opens a problem's node and field; a problem without a node shows the whole drawing. */
export function useGoToProblem(controls: RefObject<CanvasControls>): (problem: GraphProblem) => void {
  const editor = useEditorStore();
  return (problem) => {
    if (problem.node_id === undefined) {
      controls.current.fit();
      return;
    }
    editor.getState().open(problem.node_id, problem.field ?? null);
    controls.current.showNode(problem.node_id);
  };
}

interface ProblemButtonProps {
  problem: GraphProblem;
  onChoose: () => void;
}

/** One problem: its step, and how to fix it. */
export function ProblemButton({ problem, onChoose }: ProblemButtonProps) {
  const { index } = useAnalysis();
  const node = problem.node_id === undefined ? undefined : index.nodes.get(problem.node_id);
  return (
    <button
      type="button"
      onClick={onChoose}
      className="flex w-full items-start gap-2.5 rounded-2 px-2 py-1.5 text-left -outline-offset-2 hover:bg-sunken"
    >
      {node === undefined ? (
        <span aria-hidden className="flex size-6 shrink-0 items-center justify-center rounded-[6px] bg-err-bg text-err">
          <TriangleAlert className="size-4" strokeWidth={1.75} />
        </span>
      ) : (
        <KindTile type={node.type} app={appOf(node)} />
      )}
      <span className="min-w-0 flex-1">
        {node === undefined ? null : <span className="block truncate font-medium">{nodeLabel(node)}</span>}
        <span className="block text-dense text-text-2 [overflow-wrap:anywhere]">
          {problem.severity === "warning" ? <span className="text-warn">Warning: </span> : null}
          {node === undefined ? problem.message : describeProblem(problem, node)}
        </span>
      </span>
    </button>
  );
}
