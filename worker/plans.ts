import { loadPins } from "#lib/checkpoints/pins";
import { customFinder, customSlugs } from "#lib/connections/load-custom-connectors";
import type { Definition } from "#lib/contract/graph";
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

/** A plan with what it was made of, where that can change: the connectors of the workspace that it calls. */
interface KnownPlan {
  plan: Plan;
  /** Null where it calls none. */
  custom: { definition: Definition; stamp: string } | null;
}

/** Versions never change, so each is made ready once; where it calls custom connectors, once for each build of them. */
const plans = new Map<string, KnownPlan>();
const PLANS_MAX = 500;

/**
 * The plan of a run: of its version, or of the draft it tests with the outputs that are pinned.
 * @throws StepError VALIDATION_ERROR when the definition cannot be executed
 */
export async function getPlan(db: Db, { versionId, definition: draft, lease, workspaceId }: OpenedRun): Promise<Plan> {
  if (draft) {
    const pins = await persist(() => loadPins(db, { runId: lease.runId, workspaceId }));
    const { find } = await persist(() => customFinder(db, workspaceId, customSlugs(draft.nodes)));
    return compilePlan(draft, pinNodes(nodeHandlers(find), pins));
  }
  const known = versionId === null ? undefined : plans.get(versionId);
  if (known && !known.custom) return known.plan;
  const definition = known?.custom?.definition ?? (versionId === null ? null : await findDefinition(versionId));
  if (!definition) throw new StepError("UNKNOWN", "The version of the workflow that this run belongs to is gone");
  const slugs = customSlugs(definition.nodes);
  const { find, stamp } = await persist(() => customFinder(db, workspaceId, slugs));
  if (known?.custom?.stamp === stamp) return known.plan;
  const plan = compilePlan(definition, nodeHandlers(find));
  const custom = slugs.length > 0 ? { definition, stamp } : null;
  if (versionId !== null) remember(plans, versionId, { plan, custom }, PLANS_MAX);
  return plan;
}
