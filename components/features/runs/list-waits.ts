import type { StepItem } from "#lib/contract/run/journal";
import { isTerminal, type RunObject } from "#lib/contract/run/run";
import { findStepKind } from "#lib/core/steps/step-kinds";
import { isJsonObject } from "#lib/support/json";

/** A step that waits for a time or a callback. */
export interface OpenWait {
  key: string;
  step: StepItem;
  kind: "time" | "callback";
  /** How many steps of the timeline before this one are the same step in other iterations. */
  occurrence: number;
}

/** Lists what a run waits for besides decisions and other runs. */
export function listWaits({ status, steps }: Pick<RunObject, "status" | "steps">): OpenWait[] {
  if (isTerminal(status)) return [];
  const seen = new Map<string, number>();
  return steps.flatMap((step): OpenWait[] => {
    const occurrence = seen.get(step.step_id) ?? 0;
    seen.set(step.step_id, occurrence + 1);
    const kind = findStepKind(step.type)?.waitsFor;
    if (kind === undefined || kind === "decision" || step.status !== "started") return [];
    return [{ key: `${step.step_id}|${step.iteration?.path ?? ""}`, step, kind, occurrence }];
  });
}

/** Returns when a wait ends, in epoch ms; null if the input does not say it. */
export function endOfWait({ started_at: startedAt }: StepItem, input: unknown): number | null {
  if (!isJsonObject(input)) return null;
  if (typeof input.until === "string") return Date.parse(input.until);
  const seconds = input.seconds ?? input.expires_seconds;
  return typeof seconds === "number" && startedAt !== null ? Date.parse(startedAt) + seconds * 1_000 : null;
}
