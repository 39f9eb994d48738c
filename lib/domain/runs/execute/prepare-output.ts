import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Mask } from "#lib/core/redaction/mask-texts";
import { type CleanPayloads, sanitize } from "#lib/core/redaction/sanitize";
import { runOutputContext } from "#lib/domain/runs/read/run-row";
import { sealJson } from "#lib/platform/secrets/seal";
import { storableJson } from "#lib/support/json";
import { takeTurn } from "#lib/support/take-turn";

/** The output of a run as its row stores it. */
export interface PreparedOutput {
  /** JSON without what the journal redacts. */
  shown: string;
  /** The original in base64, sealed; null if nothing was redacted. */
  sealed: string | null;
  /** True if callers get the original. */
  servesSealed: boolean;
}

interface EndedRun {
  runId: string;
  workspaceId: string;
  /** True if the workspace shows callers redacted outputs. */
  redactsOutput: boolean;
  /** Hides the secrets that people typed into the definition. */
  mask: Mask;
  /** What its large payloads became before. */
  cleaned: CleanPayloads;
}

/**
 * Separates what the row of a run may show from the original output, as for inputs and steps: a copy of the database
 * shows nothing that the journal redacts. Usually nothing is redacted, and the output is stored once. Other runs get
 * turns in between, because an output may be as large as 1 MiB.
 */
export async function prepareOutput(run: EndedRun, output: JsonObject | null): Promise<PreparedOutput> {
  const turn = takeTurn();
  if (turn !== null) await turn;
  const masked = run.mask(output, run.cleaned.masked);
  const sanitizing = takeTurn();
  if (sanitizing !== null) await sanitizing;
  const clean = sanitize(masked, run.cleaned.sanitized);
  const shown = storableJson(clean);
  if (clean === output) return { shown, sealed: null, servesSealed: false };
  const sealing = takeTurn();
  if (sealing !== null) await sealing;
  const sealed = sealJson(run.workspaceId, runOutputContext(run.runId), storableJson(output));
  return { shown, sealed: sealed.toString("base64"), servesSealed: !run.redactsOutput };
}
