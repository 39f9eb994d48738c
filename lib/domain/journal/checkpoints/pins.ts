import type { Pins } from "#lib/core/engine/pin-nodes";
import { insertCheckpoints } from "#lib/domain/journal/checkpoints/copy-checkpoints";
import { outputContext } from "#lib/domain/journal/checkpoints/load-outputs";
import { bytea, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { seal, unseal } from "#lib/platform/secrets/seal";

/** Stored in the column of the iteration: a pinned output applies to all of them. No iteration has this name. */
const PINNED = "pinned";

interface RunIds {
  runId: string;
  workspaceId: string;
}

/** Stores the pinned outputs of a test run, sealed, because they are as confidential as those of steps. */
export async function savePins(tx: Db, { runId, workspaceId }: RunIds, pins: Pins): Promise<void> {
  if (pins.size === 0) return;
  const checkpoints = Array.from(pins, ([nodeId, output]) => ({
    node_id: nodeId,
    iteration: PINNED,
    sealed: seal(workspaceId, outputContext(runId, nodeId, PINNED), output),
  }));
  await insertCheckpoints(tx, runId, checkpoints);
}

const selectPins = defineStatement({
  name: "load_pins",
  params: { runId: uuid },
  row: { node_id: text, sealed: bytea },
  sql: `select node_id, sealed from run_checkpoints where run_id = $1 and iteration = '${PINNED}'`,
});

/** Loads the pinned outputs of a test run, or of its replay; empty for any other run. */
export async function loadPins(db: Db, { runId, workspaceId }: RunIds): Promise<Pins> {
  const rows = await selectPins.all(db, { runId });
  return new Map(
    rows.map((row) => [row.node_id, unseal(workspaceId, outputContext(runId, row.node_id, PINNED), row.sealed)]),
  );
}
