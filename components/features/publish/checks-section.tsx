import { CircleCheck, TriangleAlert } from "lucide-react";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { ProblemButton } from "@/components/canvas/view/problem-button";

interface ChecksSectionProps {
  problems: readonly GraphProblem[];
  /** Likely mistakes, which do not block publishing. */
  warnings: readonly GraphProblem[];
  /**
   * Leaves the dialog and opens the problem's node on the canvas; null if the published version is not the one on the
   * canvas.
   */
  onWalk: ((problem: GraphProblem) => void) | null;
}

/** Lists the problems that block publishing, then the warnings. Each row links to its node. */
export function ChecksSection({ problems, warnings, onWalk }: ChecksSectionProps) {
  return (
    <section aria-label="Checks" className="flex flex-col gap-2">
      <h3 className="font-semibold">Checks</h3>
      {problems.length === 0 ? (
        <p className="flex items-center gap-2 text-text-2">
          <CircleCheck aria-hidden className="size-4 text-ok" strokeWidth={1.75} />
          {warnings.length === 0 ? "No problems found." : "No problems found that prevent publishing."}
        </p>
      ) : null}
      {problems.length + warnings.length === 0 ? null : (
        <ul className="flex flex-col rounded-3 border border-border p-1">
          {problems.map((problem) => (
            <Row key={keyOf(problem)} problem={problem} tone="text-err" onWalk={onWalk} />
          ))}
          {warnings.map((warning) => (
            <Row key={keyOf(warning)} problem={warning} tone="text-warn" onWalk={onWalk} />
          ))}
        </ul>
      )}
    </section>
  );
}

function keyOf({ code, node_id: node = "", field = "", message }: GraphProblem): string {
  return `${code} ${node} ${field} ${message}`;
}

interface RowProps {
  problem: GraphProblem;
  tone: "text-err" | "text-warn";
  onWalk: ChecksSectionProps["onWalk"];
}

function Row({ problem, tone, onWalk }: RowProps) {
  return (
    <li>
      {onWalk === null ? (
        <p className="flex items-start gap-2 px-2 py-1.5 text-text-2">
          <TriangleAlert aria-hidden className={`mt-0.5 size-4 shrink-0 ${tone}`} strokeWidth={1.75} />
          {problem.message}
        </p>
      ) : (
        <ProblemButton problem={problem} onChoose={() => onWalk(problem)} />
      )}
    </li>
  );
}
