import type { StepItem, StepStatus } from "#lib/contract/run/journal";
import type { ReplayMode, RunObject } from "#lib/contract/run/run";
import type { Definition } from "#lib/contract/workflow/graph";
import { rerunNodes } from "#lib/core/graph/rerun-nodes";
import { nodeLabel } from "#lib/core/steps/node-data";
import { ENTRY_NAMES, STEP_KINDS, STEP_TYPES } from "#lib/core/steps/step-kinds";
import { formatCount, formatNumber } from "#lib/support/format/format-number";

/** contract, Journal: such a node is not executed again. */
const DONE: ReadonlySet<StepStatus> = new Set(["completed", "skipped", "failed_continued"]);
/** Steps with effects outside the workflow. */
const CALLING_TYPES: ReadonlySet<string> = new Set(STEP_TYPES.filter((type) => STEP_KINDS[type].effects === "calls"));
const ENTRY_TYPES: ReadonlySet<string> = new Set(ENTRY_NAMES);

export interface PlannedStep {
  stepId: string;
  name: string;
  /** "2 of 3 items", "skipped in this run"; null if there is nothing to add. */
  note: string | null;
  /** It made a successful external call and will make it a second time. */
  repeatsCall: boolean;
}

/** What a replay reuses and what it runs, in the order of the timeline. */
export interface ReplayPlan {
  reused: readonly PlannedStep[];
  runs: readonly PlannedStep[];
}

interface ReplayChoice {
  run: RunObject;
  /** Null if the version that ran cannot be loaded. */
  definition: Definition | null;
  mode: ReplayMode;
  /** For `from_step`. */
  stepId: string | null;
  /** Set for a replay on the published version, which `definition` then is: the steps that it cannot take over. */
  changedSteps?: readonly string[] | undefined;
}

/**
 * Predicts what the server will do with a replay (decisions, Replay). Null if that depends on the definition, and the
 * definition is not known.
 */
export function deriveReplay({ run, definition, mode, stepId, changedSteps }: ReplayChoice): ReplayPlan | null {
  const again = againNodes(run, definition, mode, stepId);
  if (again === null) return null;
  for (const id of changedSteps ?? []) again.add(id);
  const plan = { reused: [] as PlannedStep[], runs: [] as PlannedStep[] };
  const known = new Set(definition?.nodes.map((node) => node.id));
  for (const [id, items] of groupByNode(run.steps)) {
    // The published version no longer has the step.
    if (changedSteps !== undefined && !known.has(id)) continue;
    const kept = again.has(id) ? [] : items.filter((item) => DONE.has(item.status));
    const dropped = items.filter((item) => !kept.includes(item));
    // A step that a condition skipped did nothing that could be reused.
    if (kept.some((item) => item.status !== "skipped")) plan.reused.push(planned(kept, items, dropped));
    if (dropped.length > 0) plan.runs.push(planned(dropped, items, dropped));
  }
  const started = new Set(run.steps.map((step) => step.step_id));
  const unreached = (definition?.nodes ?? []).filter((node) => !started.has(node.id));
  for (const node of unreached.toSorted((a, b) => a.position.y - b.position.y || a.position.x - b.position.x)) {
    plan.runs.push({ stepId: node.id, name: nodeLabel(node), note: null, repeatsCall: false });
  }
  return plan;
}

/** The nodes that are not reused, completed or not. */
function againNodes(run: RunObject, definition: Definition | null, mode: ReplayMode, stepId: string | null) {
  if (mode === "resume") return new Set<string>();
  if (mode === "from_start") return new Set(run.steps.map((step) => step.step_id));
  return definition === null || stepId === null ? null : rerunNodes(definition, [stepId]);
}

function groupByNode(steps: readonly StepItem[]): Map<string, StepItem[]> {
  return Map.groupBy(steps, (step) => step.step_id);
}

function planned(items: readonly StepItem[], all: readonly StepItem[], dropped: readonly StepItem[]): PlannedStep {
  const [first] = all;
  return {
    stepId: first?.step_id ?? "",
    name: first?.name ?? "",
    note: noteOf(items, all),
    repeatsCall: items === dropped && items.some((item) => CALLING_TYPES.has(item.type) && item.status === "completed"),
  };
}

function noteOf(items: readonly StepItem[], all: readonly StepItem[]): string | null {
  if (items.every((item) => item.status === "skipped")) return "skipped in this run";
  if (all[0]?.iteration == null) return null;
  return items.length === all.length
    ? formatCount(all.length, "item")
    : `${formatNumber(items.length)} of ${formatCount(all.length, "item")}`;
}

/** Returns the steps that a replay can start from: every step that ran, except the entry, which is the start. */
export function replaySteps(run: RunObject): { stepId: string; name: string }[] {
  const ran = run.steps.filter((step) => step.status !== "skipped" && !ENTRY_TYPES.has(step.type));
  return [...groupByNode(ran)].map(([stepId, [first]]) => ({ stepId, name: first?.name ?? stepId }));
}
