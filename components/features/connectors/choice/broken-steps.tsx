import type { BrokenStep } from "#lib/contract/connector/connector";
import { Link } from "@/components/ui/link";

/** Lists the steps that a new version of a connector can break, before it is built. */
export function BrokenSteps({ steps }: { steps: readonly BrokenStep[] }) {
  if (steps.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium text-err">Steps that this version can break</p>
      <ul className="max-h-80 divide-y divide-border overflow-y-auto rounded-2 border border-border">
        {steps.map(({ workflow_id: id, workflow, version, step_id: stepId, step, operation, reasons }) => (
          <li key={`${id} ${version} ${stepId}`} className="flex flex-col gap-0.5 px-3 py-2 [overflow-wrap:anywhere]">
            <span>
              <Link href={`/workflows/${id}`} className="link">
                {workflow}
              </Link>
              , step “{step}” {version === null ? "in the draft" : `in v${version}, when you publish it again`}
            </span>
            <span className="text-dense text-text-2">
              <code className="font-mono">{operation}</code> {reasons.join(", ")}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
