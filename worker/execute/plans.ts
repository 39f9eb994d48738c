import { StepError } from "#lib/contract/step-error";
import { compilePlan } from "#lib/core/engine/compile-plan";
import { pinNodes } from "#lib/core/engine/pin-nodes";
import type { ExecutionPlan } from "#lib/core/engine/plan";
import { loadNodeHandlers } from "#lib/core/steps/load-node-handlers";
import { latestFinder, pinnedFinder } from "#lib/domain/custom-connectors/load-custom-connectors";
import { loadPins } from "#lib/domain/journal/checkpoints/pins";
import type { OpenedRun } from "#lib/domain/runs/execute/open-runs";
import { findVersionDefinition } from "#lib/domain/runs/read/find-version-definition";
import type { Db } from "#lib/platform/db/pool";
import { remember } from "#lib/support/remember";
import { persist } from "#worker/execute/persist";

/** Loaded once, when the worker starts. */
const nodeHandlers = await loadNodeHandlers();

/** Versions never change, nor do the connectors they were published with, so each plan is compiled once. */
const plans = new Map<string, ExecutionPlan>();
const PLANS_MAX = 500;

/**
 * Returns the plan of a run: of its version, or of the draft it tests with the pinned outputs.
 * @throws StepError VALIDATION_ERROR when the definition cannot be executed
 */
export async function getPlan(
  db: Db,
  { versionId, definition: draft, lease, workspaceId }: OpenedRun,
): Promise<ExecutionPlan> {
  if (draft) {
    const pins = await persist(() => loadPins(db, { runId: lease.runId, workspaceId }));
    const find = await persist(() => latestFinder(db, workspaceId, draft));
    return compilePlan(draft, pinNodes(nodeHandlers(find), pins));
  }
  const known = versionId === null ? undefined : plans.get(versionId);
  if (known) return known;
  const definition = versionId === null ? null : await findVersionDefinition(versionId);
  if (versionId === null || !definition) {
    throw new StepError("version_missing", "The version of the workflow that this run belongs to no longer exists");
  }
  const plan = compilePlan(definition, nodeHandlers(await persist(() => pinnedFinder(db, versionId, definition))));
  remember(plans, versionId, plan, PLANS_MAX);
  return plan;
}
