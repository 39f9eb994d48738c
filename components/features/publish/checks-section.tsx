import { CircleCheck, TriangleAlert } from "lucide-react";
import type { GraphProblem } from "#lib/contract/workflow";
import { ProblemButton } from "@/components/canvas/view/problem-button";

interface ChecksSectionProps {
  problems: readonly GraphProblem[];
  /** Leaves the dialog for the problem's place in the drawing; null where the drawing is not the thing published. */
  onWalk: ((problem: GraphProblem) => void) | null;
}

/** What stands in the way, each row leading to its node. */
export function ChecksSection({ problems, onWalk }: ChecksSectionProps) {
  return (
    <section aria-label="Checks" className="flex flex-col gap-2">
      <h3 className="font-semibold">Checks</h3>
      {problems.length === 0 ? (
        <p className="flex items-center gap-2 text-text-2">
          <CircleCheck aria-hidden className="size-4 text-ok" strokeWidth={1.75} />
          Everything is in place.
        </p>
      ) : (
        <ul className="flex flex-col rounded-3 border border-border p-1">
          {problems.map((problem) => (
            <li key={`${problem.code} ${problem.node_id ?? ""} ${problem.field ?? ""} ${problem.message}`}>
              {onWalk === null ? (
                <p className="flex items-start gap-2 px-2 py-1.5 text-text-2">
                  <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-err" strokeWidth={1.75} />
                  {problem.message}
                </p>
              ) : (
                <ProblemButton problem={problem} onChoose={() => onWalk(problem)} />
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
