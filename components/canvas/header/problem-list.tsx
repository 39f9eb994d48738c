"use client";

import { clsx } from "clsx";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { type RefObject, useState } from "react";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { formatCount } from "#lib/support/format/format-number";
import { applyAllFixes } from "@/components/canvas/actions/apply-problem-fixes";
import { groupProblems } from "@/components/canvas/document/group-problems";
import { keyOf } from "@/components/canvas/document/server-problems";
import { ProblemItem } from "@/components/canvas/header/problem-item";
import { MissingConnection, ProblemRemedy } from "@/components/canvas/header/problem-remedy";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useAnalysis, useDraftSession, useEditor } from "@/components/canvas/store/draft-context";
import { useProblems } from "@/components/canvas/store/use-problems";
import { useGoToProblem } from "@/components/canvas/view/problem-button";
import { Button } from "@/components/ui/button";
import { LazyPopover } from "@/components/ui/overlays/lazy-popover";

/** Shows the number of problems and likely mistakes, with a link to each. */
export function ProblemList({ controls }: { controls: RefObject<CanvasControls> }) {
  const [isOpen, setOpen] = useState(false);
  const session = useDraftSession();
  const { errors: problems, warnings, isChecked, hasUntouched } = useProblems();
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const all = [...problems, ...warnings];
  const fixable = isReadOnly ? [] : all.filter(({ fix }) => fix !== undefined);
  const isEmpty = useEditor((state) => state.definition.nodes.length === 0);
  const goTo = useGoToProblem(controls);
  const { index } = useAnalysis();
  const [lacking, setLacking] = useState<GraphProblem | null>(null);
  function addAfter({ node_id: id }: GraphProblem) {
    setOpen(false);
    if (id !== undefined) session.editor.getState().select([id]);
    controls.current.addNode();
  }
  if (isEmpty) return null;
  if (problems.length + warnings.length === 0) {
    return (
      <span className="hidden items-center gap-1.5 text-dense text-text-3 lg:flex">
        {hasUntouched ? (
          "New step"
        ) : (
          // Takes its place before the drawing is checked, so that nothing moves.
          <span className={clsx("flex items-center gap-1.5", !isChecked && "invisible")}>
            <CircleCheck aria-hidden className="size-3.5 text-ok" /> No problems
          </span>
        )}
      </span>
    );
  }
  const words = problems.length > 0 ? formatCount(problems.length, "problem") : formatCount(warnings.length, "warning");
  return (
    <>
      {/* Outside the popover, which closes when the dialog takes the focus. */}
      {lacking === null ? null : <MissingConnection problem={lacking} onClose={() => setLacking(null)} />}
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
        {fixable.length > 1 ? (
          <div className="-mx-1.5 -mt-1.5 mb-1.5 flex items-center justify-between gap-2 border-b border-border px-2 py-1.5">
            <span className="text-dense text-text-2">{formatCount(fixable.length, "problem")} with a fix</span>
            <Button size="sm" onClick={() => void applyAllFixes(session)}>
              Apply all
            </Button>
          </div>
        ) : null}
        <ul className="-m-1.5 flex flex-col">
          {groupProblems(all, index.nodes).map((item) => (
            <ProblemItem
              key={"cause" in item ? `${item.problems.length} ${item.cause}` : keyOf(item)}
              item={item}
              isFixable={(problem) => fixable.includes(problem)}
              onChoose={(problem) => {
                setOpen(false);
                goTo(problem);
              }}
              remedyOf={(problem) =>
                isReadOnly ? null : (
                  <ProblemRemedy
                    problem={problem}
                    onCreate={() => setLacking(problem)}
                    onAddStep={() => addAfter(problem)}
                  />
                )
              }
            />
          ))}
        </ul>
      </LazyPopover>
    </>
  );
}
