"use client";

import { CircleCheck, TriangleAlert } from "lucide-react";
import { type RefObject, useState } from "react";
import type { GraphProblem } from "#lib/contract/workflow";
import { nodeLabel } from "#lib/core/steps/node-data";
import { describeProblem } from "@/components/canvas/document/describe-problem";
import type { CanvasControls } from "@/components/canvas/editor/canvas-controls";
import { NODE_KINDS } from "@/components/canvas/kinds/node-kinds";
import { settledProblems } from "@/components/canvas/store/analysis";
import { useAnalysis, useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { KindTile } from "@/components/canvas/view/kind-tile";
import { Button } from "@/components/ui/button";
import { LazyPopover } from "@/components/ui/overlays/lazy-popover";

/** How many things stand in the way of publishing, or are likely wrong, and the way to each. */
export function ProblemList({ controls }: { controls: RefObject<CanvasControls> }) {
  const [isOpen, setOpen] = useState(false);
  const analysis = useAnalysis();
  const typingIn = useEditor((state) => state.typingIn);
  const problems = settledProblems(analysis.problems, typingIn);
  const { warnings } = analysis;
  const isEmpty = useEditor((state) => state.definition.nodes.length === 0);
  const goTo = useGoToProblem(controls);
  if (isEmpty) return null;
  if (problems.length + warnings.length === 0) {
    return (
      <span className="hidden items-center gap-1.5 text-dense text-text-3 lg:flex">
        <CircleCheck aria-hidden className="size-3.5 text-ok" /> No problems
      </span>
    );
  }
  const words = problems.length > 0 ? countOf(problems, "problem") : countOf(warnings, "warning");
  return (
    <LazyPopover
      label="Problems"
      align="end"
      isOpen={isOpen}
      onOpenChange={setOpen}
      className="max-h-96 w-96 max-w-[calc(100vw-16px)] overflow-y-auto"
      trigger={
        <Button variant={problems.length > 0 ? "danger" : "secondary"} aria-label={words}>
          <TriangleAlert
            aria-hidden
            className={problems.length > 0 ? "size-4" : "size-4 text-warn"}
            strokeWidth={1.75}
          />
          <span className="sm:hidden">{problems.length || warnings.length}</span>
          <span className="hidden sm:inline">{words}</span>
        </Button>
      }
    >
      <ul className="-m-1.5 flex flex-col">
        {[...problems, ...warnings].map((problem) => (
          <li key={`${problem.code} ${problem.node_id ?? ""} ${problem.field ?? ""} ${problem.message}`}>
            <ProblemButton
              problem={problem}
              onChoose={() => {
                setOpen(false);
                goTo(problem);
              }}
            />
          </li>
        ))}
      </ul>
    </LazyPopover>
  );
}

function countOf(problems: readonly GraphProblem[], noun: string): string {
  return problems.length === 1 ? `1 ${noun}` : `${problems.length} ${noun}s`;
}

/** Leads to a problem's node and field; one that belongs to no node shows the whole drawing. */
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

/** One problem: its step, and what to do about it. */
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
        <KindTile kind={NODE_KINDS[node.type]} />
      )}
      <span className="min-w-0 flex-1">
        {node === undefined ? null : <span className="block truncate font-medium">{nodeLabel(node)}</span>}
        <span className="block text-dense text-text-2 [overflow-wrap:anywhere]">
          {problem.code === "TYPE_MISMATCH" ? <span className="text-warn">Warning: </span> : null}
          {node === undefined ? problem.message : describeProblem(problem, node)}
        </span>
      </span>
    </button>
  );
}
