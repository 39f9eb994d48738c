import { leaveOut } from "#lib/api/mcp/forms/shorten";
import { keepListed } from "#lib/api/operations/agents/keep-listed";
import type { RequestContext } from "#lib/api/operations/define/caller";
import { LIMITS } from "#lib/contract/limits";
import type { StepItem } from "#lib/contract/run/journal";
import { isTerminal, isWaiting, type RunObject } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { pageUrl } from "#lib/platform/config/page-url";
import { exceedsJsonBytes } from "#lib/support/json-text/measure-json";

/** The parts of a run that a short answer leaves out. The caller sent the input, or does not need it. */
export const RUN_PARTS = ["input", "output"] as const;
export type RunPart = (typeof RUN_PARTS)[number];

const FIELDS_OF: Record<RunPart, readonly (keyof RunObject)[]> = {
  input: ["input"],
  // In every answer unless it is too long; the part requests it however long it is.
  output: [],
};
const ALWAYS_LEFT_OUT: readonly (keyof RunObject)[] = [
  "steps",
  "steps_page",
  "events",
  "workflow_id",
  "workflow_version_id",
  "created_at",
  "started_at",
  "completed_at",
];

const FAILED: ReadonlySet<StepItem["status"]> = new Set(["failed", "failed_continued", "timed_out"]);
export const isFailedStep = ({ status }: StepItem): boolean => FAILED.has(status);

/**
 * Returns a run as agents read it: what happened, without its timeline, without nulls and without the input.
 * @param more fields that this answer leaves out, too
 */
export function shortRun(run: RunObject, parts: readonly string[] = [], more: readonly RunPart[] = []): JsonObject {
  const hidden = RUN_PARTS.filter((part) => !parts.includes(part)).flatMap((part) => FIELDS_OF[part]);
  const { correlation_id, ...short } = leaveOut(run, [...hidden, ...more, ...ALWAYS_LEFT_OUT]);
  return {
    ...short,
    // By default, it repeats the run_id.
    ...(correlation_id === run.run_id ? {} : { correlation_id }),
    ...(run.approval ? { approval: leaveOut(run.approval) } : {}),
  };
}

/** Says how to continue with a run that has not ended, with the tools that the caller has. */
export function nextOf({ status }: RunObject, { agent }: RequestContext): { next?: string } {
  if (isTerminal(status)) return {};
  const decide = [`A person must decide at ${pageUrl("/approvals")}.`, "approve_run can decide, too."];
  const sentences = isWaiting(status)
    ? [...decide, "Then call wait_for_run with the run_id."]
    : ["Call wait_for_run with the run_id."];
  const next = keepListed(sentences, agent?.hiddenTools).join(" ");
  return next === "" ? {} : { next };
}

/** @param isWhole false leaves out a long input and the start of a long console, which the caller did not request */
export function shortStep(step: StepItem, isWhole: boolean): JsonObject {
  const { name, attempt, iteration, console, ...rest } = step;
  const isLong = !isWhole && exceedsJsonBytes(step.input, LIMITS.toolPayloadCharacters);
  return {
    ...leaveOut(rest, isWhole ? [] : ["started_at", "completed_at", "duration_ms", "input"]),
    ...(name === step.step_id ? {} : { name }),
    ...(attempt === 1 ? {} : { attempt }),
    ...(console === undefined ? {} : { console: isWhole ? console : endOf(console) }),
    ...(iteration === null ? {} : { iteration: leaveOut(iteration, ["count"]) }),
    ...(isWhole || step.input === null ? {} : isLong ? { truncated: true } : { input: step.input }),
  };
}

/** Returns the last lines of a console: they are the ones before the error. */
function endOf(lines: readonly string[]): string[] {
  let left: number = LIMITS.toolPayloadCharacters;
  const from = lines.findLastIndex((line) => {
    left -= line.length;
    return left < 0;
  });
  return from === -1 ? [...lines] : ["… earlier lines are left out", ...lines.slice(from + 1)];
}

interface LoopCount {
  step_id: string;
  iterations?: number;
  steps: number;
  failed: number;
}

/** Counts the steps inside each loop. A run with very many steps brings the counts along. */
export function countLoops({ steps, steps_page: page }: RunObject): LoopCount[] {
  if (page) return page.loops;
  const loops = new Map<string, LoopCount & { paths: Set<string> }>();
  for (const step of steps) {
    if (step.iteration === null) continue;
    const { loop_id: step_id, path } = step.iteration;
    const loop = loops.get(step_id) ?? { step_id, steps: 0, failed: 0, paths: new Set<string>() };
    loop.steps += 1;
    if (isFailedStep(step)) loop.failed += 1;
    loop.paths.add(path);
    loops.set(step_id, loop);
  }
  return [...loops.values()].map(({ paths, ...loop }) => ({ ...loop, iterations: paths.size }));
}
