import type { RunObject } from "#lib/contract/run";
import { runOutputContext } from "#lib/domain/journal/checkpoints/sealed-contexts";
import type { RunRow } from "#lib/domain/runs/read/run-row";
import { log } from "#lib/platform/config/log";
import { unseal } from "#lib/platform/secrets/seal";

/**
 * Returns the output of a run as its callers get it. If its key is lost, they get the redacted one: a run stays readable
 * (decisions, Redaction).
 */
export function openOutput({
  id,
  output,
  served_output,
  sealed_for,
}: Pick<RunRow, "id" | "output" | "served_output" | "sealed_for">): RunObject["output"] {
  if (served_output === null || sealed_for === null) return output;
  try {
    return unseal(sealed_for, runOutputContext(id), served_output);
  } catch (err) {
    log.warn({ err, run_id: id }, "the output of a run cannot be decrypted; callers get its redacted form");
    return output;
  }
}
