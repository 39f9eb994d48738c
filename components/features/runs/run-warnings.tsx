import { TriangleAlert } from "lucide-react";
import type { RunWarning } from "#lib/contract/run/journal";
import { Link } from "@/components/ui/link";

interface RunWarningsProps {
  warnings: readonly RunWarning[] | undefined;
  /** Names each warning's step, and links to it; not set next to the step itself. */
  stepName?: ((stepId: string) => string) | undefined;
}

/** Lists the warnings of a run or a step. Most are paths that did not resolve: each value was null, and the run continued. */
export function RunWarnings({ warnings = [], stepName }: RunWarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <section aria-label="Warnings" className="mx-4 mt-4 rounded-3 bg-warn-bg px-3 py-2.5">
      <h3 className="flex items-center gap-2 font-semibold text-warn">
        <TriangleAlert aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
        {warningCount(warnings)}
      </h3>
      <ul className="mt-1 flex flex-col gap-1.5">
        {warnings.map((warning) => (
          <li key={`${warning.step_id} ${warning.field} ${warning.path}`} className="[overflow-wrap:anywhere]">
            <code className="font-mono text-dense">{warning.path}</code> {warningWords(warning)}{" "}
            <span className="text-text-2">
              {stepName === undefined ? null : (
                <>
                  <Link href={`?step=${encodeURIComponent(warning.step_id)}`} className="link">
                    {stepName(warning.step_id)}
                  </Link>
                  {" · "}
                </>
              )}
              {warning.field}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** "2 paths did not resolve", or "2 warnings" if there are others. */
export function warningCount(warnings: readonly RunWarning[]): string {
  const count = warnings.length;
  if (warnings.some(({ code }) => code !== undefined)) return `${count} ${count === 1 ? "warning" : "warnings"}`;
  return `${count} ${count === 1 ? "path" : "paths"} did not resolve`;
}

function warningWords(warning: RunWarning) {
  if (warning.code === "NUMBER_AS_TEXT") return "is a number beyond 2^53, and became a text to keep its digits.";
  if (warning.code === "MARKUP_AS_TEXT") return "has tags, which are shown as text. Use raw(…) if they are meant.";
  return <>was null. {placeWords(warning)}</>;
}

function placeWords({ resolved_until: until, has }: RunWarning) {
  if (until === "") return `Only these steps have an output: ${has.replace(/^\{|\}$/g, "")}.`;
  return (
    <>
      <code className="font-mono text-dense">{until}</code> {hasWords(has)}.
    </>
  );
}

/** The names of an object's fields come in braces. */
function hasWords(has: string): string {
  if (!has.startsWith("{")) return `is ${has}`;
  const names = has.slice(1, -1);
  return names === "" ? "has no fields" : `has only ${names}`;
}
