import { CircleX, TriangleAlert } from "lucide-react";
import type { ScriptProblem } from "@/components/canvas/kinds/code/script/script-editor";

interface ScriptProblemsProps {
  problems: readonly ScriptProblem[];
  onGoTo: (position: number) => void;
}

/** Lists what is wrong with the code; each leads to its place. */
export function ScriptProblems({ problems, onGoTo }: ScriptProblemsProps) {
  return (
    // Screen readers announce changes of a region that was there before.
    <div aria-live="polite" className="empty:-mt-1.5">
      {problems.length === 0 ? null : (
        <ul aria-label="Problems in the code" className="flex flex-col">
          {problems.map((problem) => (
            <li key={`${problem.source} ${problem.from} ${problem.message}`}>
              <button
                type="button"
                onClick={() => onGoTo(problem.from)}
                className="flex min-h-6 w-full items-start gap-1.5 rounded-1 px-1 py-0.5 text-left text-dense hover:bg-sunken"
              >
                {problem.severity === "error" ? (
                  <CircleX aria-hidden className="mt-0.5 size-3.5 shrink-0 text-err" />
                ) : (
                  <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0 text-warn" />
                )}
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  <span className="text-text-2">{placeWords(problem)}</span> {problem.message}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function placeWords({ line, column, source }: ScriptProblem): string {
  return source === "last run" ? `Line ${line} of the last run:` : `Line ${line}, column ${column}:`;
}
