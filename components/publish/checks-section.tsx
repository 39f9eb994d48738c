import { CircleCheck } from "lucide-react";
import type { GraphProblem } from "#lib/contract/workflow";
import { ProblemButton } from "@/components/canvas/header/problem-list";

interface ChecksSectionProps {
  problems: readonly GraphProblem[];
  /** Leaves the dialog for the problem's place in the drawing. */
  onWalk: (problem: GraphProblem) => void;
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
              <ProblemButton problem={problem} onChoose={() => onWalk(problem)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
