import type { ReactNode } from "react";
import { formatCount } from "#lib/support/format/format-number";
import type { PlannedStep, ReplayPlan } from "@/components/features/runs/replay/derive-replay";

/** Up to this many names are listed; the rest are counted. */
const NAMED = 12;

/** Shows what the replay will reuse and what it will run. */
export function ReplaySummary({ plan }: { plan: ReplayPlan | null }) {
  if (plan === null) {
    return <p className="text-text-2">The step and everything after it run again. All other steps are reused.</p>;
  }
  const repeated = plan.runs.filter(({ repeatsCall }) => repeatsCall);
  return (
    <>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <Group label={countSteps("Reuses", plan.reused)}>
          {plan.reused.length === 0 ? <span className="text-text-3">No steps are reused.</span> : null}
          <StepNames steps={plan.reused} />
        </Group>
        <Group label={countSteps("Runs", plan.runs)}>
          <StepNames steps={plan.runs} />
        </Group>
      </dl>
      {repeated.length === 0 ? null : (
        <p className="mt-2 text-warn">These successful calls will be made again: {namesOf(repeated)}.</p>
      )}
    </>
  );
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="font-medium whitespace-nowrap">{label}</dt>
      <dd className="min-w-0 text-text-2 [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}

function StepNames({ steps }: { steps: readonly PlannedStep[] }) {
  const hidden = steps.length - NAMED;
  return (
    <>
      {namesOf(steps.slice(0, NAMED))}
      {hidden > 0 ? ` and ${hidden} more` : ""}
    </>
  );
}

function namesOf(steps: readonly PlannedStep[]): string {
  return steps.map(({ name, note }) => (note === null ? name : `${name} (${note})`)).join(", ");
}

function countSteps(verb: string, steps: readonly PlannedStep[]): string {
  return `${verb} ${formatCount(steps.length, "step")}`;
}
