import { ApiError } from "#lib/contract/error/api-error";
import { type ReplayMode, type ReplayVersion, USUAL_REPLAY_MODE } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { findChangedSteps } from "#lib/core/graph/compare/find-changed-steps";
import { rerunNodes } from "#lib/core/graph/rerun-nodes";
import { applyDefaults } from "#lib/core/input/apply-defaults";
import { restoreRedacted } from "#lib/core/redaction/restore-redacted";
import { getOriginal, type Original } from "#lib/domain/runs/create/get-original";
import {
  getPublishedVersion,
  lockWorkflowOfRun,
  type ReplayTarget,
} from "#lib/domain/runs/create/get-published-version";
import { findContinuedNodes } from "#lib/domain/runs/read/find-continued-nodes";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import type { Db } from "#lib/platform/db/pool";
import { canonicalJson } from "#lib/support/json";
import { listSuggestions } from "#lib/support/list-suggestions";

/** What the caller of a replay can choose. */
export interface ReplayChoice extends RunReference {
  /**
   * Defaults to `from_step` if a step is named, otherwise to the mode for the original's status (decisions, Replay).
   */
  mode?: ReplayMode | undefined;
  /** For `from_step`: the first step that runs again. */
  stepId?: string | undefined;
  /** Defaults to `same`: the version of the original. */
  version?: ReplayVersion | undefined;
  /** Replaces the original's input. A value left as it was shown keeps its real value. */
  input?: JsonObject | undefined;
}

export interface PlannedReplay {
  original: Original;
  mode: ReplayMode;
  target: ReplayTarget;
  /** The caller's own values, without the defaults of the target's schema. */
  input: JsonObject;
  /** Nodes whose steps are not reused, whether they are done or not. Every node for `from_start`. */
  again: ReadonlySet<string>;
}

/**
 * Decides what a replay runs and what it reuses (decisions, Replay). Locks the original, and for the published version
 * also its workflow, so that no publish comes in between.
 * @throws ApiError as replayRun
 */
export async function planReplay(tx: Db, choice: ReplayChoice): Promise<PlannedReplay> {
  const isLatest = choice.version === "latest";
  if (isLatest) await lockWorkflowOfRun(tx, choice);
  const original = await getOriginal(tx, choice);
  const target = isLatest ? await getPublishedVersion(tx, choice.workspaceId, original) : sameVersion(original);
  const mode = chooseMode(choice, original, target);
  const input = choice.input === undefined ? original.input : editedInput(choice.input, original);
  // The same version accepts the same input again.
  const isChecked = choice.input !== undefined || target.versionId !== original.versionId;
  const checked = { ...target, inputSchema: isChecked ? target.inputSchema : null };
  return {
    original,
    mode,
    target: checked,
    input,
    again: await findAgain(tx, choice, { original, mode, target, input }),
  };
}

function sameVersion({ versionId, definition, inputSchema, action }: Original): ReplayTarget {
  return { versionId, definition, inputSchema, version: action?.releaseVersion ?? null };
}

/** @throws ApiError BAD_REQUEST naming the field */
function chooseMode(
  { mode: asked, stepId, input, version }: ReplayChoice,
  { status }: Original,
  { definition }: ReplayTarget,
): ReplayMode {
  const isSame = version !== "latest";
  const usual = stepId !== undefined ? "from_step" : input && isSame ? "from_start" : USUAL_REPLAY_MODE[status];
  const mode = asked ?? usual;
  if (mode === "from_step" && stepId === undefined) {
    throw new ApiError("BAD_REQUEST", "step_id: required for mode from_step");
  }
  if (mode !== "from_step" && stepId !== undefined) {
    throw new ApiError("BAD_REQUEST", `step_id: only allowed with mode from_step, not ${mode}`);
  }
  if (stepId !== undefined && !definition.nodes.some((node) => node.id === stepId)) {
    const where = isSame ? "the version that this run executed" : "the published version";
    const ids = definition.nodes.map(({ id }) => id);
    const { words } = listSuggestions(stepId, ids, "the steps are");
    throw new ApiError("BAD_REQUEST", `step_id: no such step in ${where}${words}`);
  }
  if (mode !== "from_start" && input !== undefined && isSame) {
    throw new ApiError(
      "BAD_REQUEST",
      `input: only allowed with mode from_start or version latest, not ${mode}, because completed steps used the original input`,
    );
  }
  return mode;
}

/** @throws ApiError INPUT_VALIDATION_FAILED if a text still contains [REDACTED] */
function editedInput(edited: JsonObject, { shownInput, input }: Original): JsonObject {
  const { value, lost } = restoreRedacted(edited, shownInput, input);
  if (lost.length === 0) return value;
  throw new ApiError(
    "INPUT_VALIDATION_FAILED",
    "The input contains edited text with hidden values. Type the whole value.",
    { details: lost },
  );
}

async function findAgain(
  tx: Db,
  { workspaceId, stepId }: ReplayChoice,
  { original, mode, target, input }: Omit<PlannedReplay, "again">,
): Promise<Set<string>> {
  const { definition } = target;
  if (mode === "from_start") return new Set(definition.nodes.map((node) => node.id));
  const again = rerunNodes(definition, stepId === undefined ? [] : [stepId]);
  const filled = target.inputSchema ? applyDefaults(target.inputSchema, input) : input;
  const changedInput = changedFields(original.input, filled);
  if (target.versionId === original.versionId && changedInput.size === 0) return again;
  const continuedIds = await findContinuedNodes(tx, { runId: original.id, workspaceId });
  const changed = findChangedSteps({ before: original.definition, after: definition, changedInput, continuedIds });
  return new Set([...again, ...changed]);
}

function changedFields(before: JsonObject, after: JsonObject): Set<string> {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return new Set([...fields].filter((field) => valueText(before, field) !== valueText(after, field)));
}

function valueText(input: JsonObject, field: string): string | undefined {
  return Object.hasOwn(input, field) ? canonicalJson(input[field]) : undefined;
}
