import { findOperation } from "#lib/connectors/registry";
import { StepError } from "#lib/contract/step-error";
import { compilePlan } from "#lib/engine/compile-plan";
import type { Plan } from "#lib/engine/plan";
import { nodeHandlers } from "#lib/nodes/registry";
import { findDefinition } from "#lib/runs/find-definition";
import type { OpenedRun } from "#lib/runs/open-runs";
import { remember } from "#lib/support/remember";

/** Versions never change, so each is made ready once. */
const plans = new Map<string, Plan>();
const PLANS_MAX = 500;
const handlers = nodeHandlers(findOperation);

/**
 * The plan of a run: of its version, or of the draft it tests.
 * @throws StepError VALIDATION_ERROR when the definition cannot be executed
 */
export async function getPlan({ versionId, definition: draft }: OpenedRun): Promise<Plan> {
  const known = versionId === null ? undefined : plans.get(versionId);
  if (known) return known;
  const definition = draft ?? (versionId === null ? null : await findDefinition(versionId));
  if (!definition) throw new StepError("UNKNOWN", "The version of the workflow that this run belongs to is gone");
  const plan = compilePlan(definition, handlers);
  if (versionId !== null) remember(plans, versionId, plan, PLANS_MAX);
  return plan;
}
