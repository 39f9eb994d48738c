import { loadPins } from "#lib/checkpoints/pins";
import { latestFinder, pinnedFinder } from "#lib/connections/load-custom-connectors";
import { StepError } from "#lib/contract/step-error";
import type { Db } from "#lib/db/pool";
import { compilePlan } from "#lib/engine/compile-plan";
import { pinNodes } from "#lib/engine/pin-nodes";
import type { Plan } from "#lib/engine/plan";
import { nodeHandlers } from "#lib/nodes/registry";
import { findDefinition } from "#lib/runs/find-definition";
import type { OpenedRun } from "#lib/runs/open-runs";
import { remember } from "#lib/support/remember";
import { persist } from "#worker/persist";

/** Versions never change, nor do the connectors they were published with, so each is made ready once. */
const plans = new Map<string, Plan>();
const PLANS_MAX = 500;

/**
 * The plan of a run: of its version, or of the draft it tests with the outputs that are pinned.
 * @throws StepError VALIDATION_ERROR when the definition cannot be executed
 */
export async function getPlan(db: Db, { versionId, definition: draft, lease, workspaceId }: OpenedRun): Promise<Plan> {
  if (draft) {
    const pins = await persist(() => loadPins(db, { runId: lease.runId, workspaceId }));
    const find = await persist(() => latestFinder(db, workspaceId, draft));
    return compilePlan(draft, pinNodes(nodeHandlers(find), pins));
  }
  const known = versionId === null ? undefined : plans.get(versionId);
  if (known) return known;
  const definition = versionId === null ? null : await findDefinition(versionId);
  if (versionId === null || !definition) {
    throw new StepError("UNKNOWN", "The version of the workflow that this run belongs to is gone");
  }
  const plan = compilePlan(definition, nodeHandlers(await persist(() => pinnedFinder(db, versionId, definition))));
  remember(plans, versionId, plan, PLANS_MAX);
  return plan;
}
