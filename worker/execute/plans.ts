import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { compilePlan } from "#lib/core/engine/compile-plan";
import { pinNodes } from "#lib/core/engine/pin-nodes";
import type { ExecutionPlan, NodeHandlers } from "#lib/core/engine/plan";
import { secretTextsOf } from "#lib/core/graph/checks/typed-secrets";
import { createMask, findHiddenTexts, type HiddenText, type Mask } from "#lib/core/redaction/mask-texts";
import { withoutBypassedBodies } from "#lib/core/steps/is-disabled";
import { loadNodeHandlers } from "#lib/core/steps/load-node-handlers";
import { latestFinder, pinnedFinder } from "#lib/domain/connections/tools/find-operations";
import { loadPins } from "#lib/domain/journal/checkpoints/pins";
import type { OpenedRun } from "#lib/domain/runs/execute/open-runs";
import { findVersionDefinition } from "#lib/domain/runs/read/find-version-definition";
import type { Db } from "#lib/platform/db/pool";
import { leastJsonBytes } from "#lib/support/json";
import { sizedCache } from "#lib/support/sized-cache";
import { persist } from "#worker/execute/persist";

/** Loaded once, when the worker starts. */
const nodeHandlers = await loadNodeHandlers();

interface RunPlan {
  plan: ExecutionPlan;
  /** The texts with secrets that people typed into the definition. */
  secrets: readonly HiddenText[];
  /** Hides these secrets. */
  mask: Mask;
}

/** Versions never change, nor do the connectors they were published with, so each plan is compiled once. */
const plans = sizedCache<string, RunPlan>(LIMITS.definitionCacheBytes);

/**
 * Returns the plan of a run: of its version, or of the draft it tests with the pinned outputs.
 * @throws StepError VALIDATION_ERROR when the definition cannot be executed
 */
export async function getPlan(
  db: Db,
  { versionId, definition: draft, lease, workspaceId }: OpenedRun,
): Promise<RunPlan> {
  if (draft) {
    const pins = await persist(() => loadPins(db, { runId: lease.runId, workspaceId }));
    const find = await persist(() => latestFinder(db, workspaceId, draft));
    return planOf(draft, pinNodes(nodeHandlers(find), pins));
  }
  const known = versionId === null ? undefined : plans.get(versionId);
  if (known) return known;
  const definition = versionId === null ? null : await findVersionDefinition(versionId);
  if (versionId === null || !definition) {
    throw new StepError("version_missing", "The version of the workflow that this run belongs to no longer exists");
  }
  const plan = planOf(definition, nodeHandlers(await persist(() => pinnedFinder(db, versionId, definition))));
  plans.set(versionId, plan, leastJsonBytes(definition, LIMITS.definitionCacheBytes));
  return plan;
}

function planOf(definition: Definition, handlers: NodeHandlers): RunPlan {
  const secrets = secretTextsOf(definition);
  return { plan: compilePlan(withoutBypassedBodies(definition), handlers), secrets, mask: createMask(secrets) };
}

/**
 * Returns the mask of a run: it hides the secrets of its definition, and those of the definition whose step started the
 * run and passed them on.
 * @param input of the run, with its real values
 */
export function maskOf({ secrets, mask }: RunPlan, run: OpenedRun, input: JsonObject): Mask {
  const passedOn = run.inputSealed ? findHiddenTexts(run.input, input) : [];
  return passedOn.length === 0 ? mask : createMask([...secrets, ...passedOn]);
}
