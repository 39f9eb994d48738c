import type { JsonObject } from "#lib/contract/wire/json-schema";
import { array, bytea, json, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { unseal } from "#lib/platform/secrets/seal";
import { setOwn } from "#lib/support/json";

export interface KnownOutputs {
  /** Outputs as they are shown, by node id. */
  shown: JsonObject;
  /** Original outputs, by node id. An output whose checkpoint is no longer stored is left out of both. */
  real: JsonObject;
}

const selectOutputs = defineStatement({
  name: "load_outputs",
  params: { runId: uuid, workspaceId: uuid, nodeIds: array(text) },
  row: { node_id: text, output: nullable(json<unknown>()), sealed: nullable(bytea) },
  sql: `select e.node_id, coalesce(e.output_written, e.output_data::json) as output, c.sealed
        from journal_events($1) e left join run_checkpoints c
          on c.run_id = e.run_id and c.node_id = e.node_id and c.iteration = e.iteration
        where e.workspace_id = $2 and e.node_id = any($3) and e.iteration = ''
          and e.kind = 'step_completed' and (c.sealed is not null or e.output_sealed is not true)`,
  isPrepared: false,
});

/** Loads the outputs of a run's steps outside loops. A run of another workspace has none. */
export async function loadOutputs(
  db: Db,
  { runId, workspaceId }: { runId: string; workspaceId: string },
  nodeIds: readonly string[],
): Promise<KnownOutputs> {
  const rows = await selectOutputs.all(db, { runId, workspaceId, nodeIds });
  const known: KnownOutputs = { shown: {}, real: {} };
  for (const { node_id: nodeId, output: shown, sealed } of rows) {
    setOwn(known.shown, nodeId, shown);
    setOwn(known.real, nodeId, sealed ? unseal(workspaceId, outputContext(runId, nodeId, ""), sealed) : shown);
  }
  return known;
}

/** The context that binds a sealed output to its place: moved to another run or step, it cannot be decrypted. */
export function outputContext(runId: string, nodeId: string, iteration: string): string {
  return `output|${runId}|${nodeId}|${iteration}`;
}
