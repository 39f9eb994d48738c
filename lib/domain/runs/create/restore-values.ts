import { ApiError } from "#lib/contract/error/api-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { findHiddenTexts, type HiddenText } from "#lib/core/redaction/mask-texts";
import { restoreRedacted } from "#lib/core/redaction/restore-redacted";
import { loadOutputs } from "#lib/domain/journal/checkpoints/load-outputs";
import { runNotFound } from "#lib/domain/runs/read/get-run";
import { inputContext } from "#lib/domain/runs/read/run-row";
import { bytea, json, nullable, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { unseal } from "#lib/platform/secrets/seal";

export interface TakenValues {
  input: JsonObject;
  /** Outputs by node id. */
  pinned: JsonObject;
}

interface RestoredValues extends TakenValues {
  /** What the run they were copied from hides of its input. */
  hidden: HiddenText[];
}

const selectInput = defineStatement({
  name: "read_run_input",
  params: { runId: uuid, workspaceId: uuid },
  row: { input: json<JsonObject>(), input_sealed: nullable(bytea) },
  sql: `select coalesce(input_written, input::json) as input, input_sealed
        from runs where id = $1 and workspace_id = $2`,
  isPrepared: false,
});

/**
 * Restores values that a person copied from a run, where they were shown redacted: a value left as it was shown gets
 * its real value back (decisions, Test runs).
 * @throws ApiError RUN_NOT_FOUND; INPUT_VALIDATION_FAILED or BAD_REQUEST if a text still contains [REDACTED]
 */
export async function restoreValues(
  tx: Db,
  from: { workspaceId: string; runId: string },
  { input, pinned }: TakenValues,
): Promise<RestoredValues> {
  const run = await selectInput.first(tx, from);
  if (!run) throw runNotFound();
  const realInput = run.input_sealed
    ? unseal<JsonObject>(from.workspaceId, inputContext(from.runId), run.input_sealed)
    : run.input;
  const outputs = await loadOutputs(tx, from, Object.keys(pinned));
  const restoredInput = restoreRedacted(input, run.input, realInput);
  if (restoredInput.lost.length > 0) {
    const message = "The input contains edited text with hidden values. Type the whole value.";
    throw new ApiError("INPUT_VALIDATION_FAILED", message, { details: restoredInput.lost });
  }
  const restoredPins = restoreRedacted(pinned, outputs.shown, outputs.real);
  if (restoredPins.lost.length > 0) {
    const message = `pinned.${restoredPins.lost[0]?.field}: the hidden value cannot be restored. Type it.`;
    throw new ApiError("BAD_REQUEST", message, { details: restoredPins.lost });
  }
  const hidden = findHiddenTexts(run.input, realInput);
  return { input: restoredInput.value, pinned: restoredPins.value, hidden };
}
