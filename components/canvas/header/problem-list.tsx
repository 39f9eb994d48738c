"use client";

import { CircleCheck, TriangleAlert } from "lucide-react";
import { type RefObject, useState } from "react";
import { formatCount } from "#lib/support/format/format-number";
import { settledProblems } from "@/components/canvas/document/analysis";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useAnalysis, useEditor } from "@/components/canvas/store/draft-context";
import { ProblemButton, useGoToProblem } from "@/components/canvas/view/problem-button";
import { Button } from "@/components/ui/button";
import { LazyPopover } from "@/components/ui/overlays/lazy-popover";

/** Shows the number of problems and likely mistakes, with a link to each. */
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
  const words = problems.length > 0 ? formatCount(problems.length, "problem") : formatCount(warnings.length, "warning");
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
