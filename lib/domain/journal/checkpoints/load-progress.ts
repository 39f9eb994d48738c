import { EVENT_KINDS } from "#lib/contract/journal";
import type { StepErrorPayload } from "#lib/contract/step-error";
import { type Progress, resume } from "#lib/core/engine/resume";
import { outputContext } from "#lib/domain/journal/checkpoints/sealed-contexts";
import { bytea, enumOf, float8, integer, jsonb, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { unseal } from "#lib/platform/secrets/seal";

const readJournal = defineStatement({
  name: "load_progress",
  params: { runId: uuid },
  row: {
    kind: enumOf(EVENT_KINDS),
    node_id: text,
    iteration: text,
    attempt: integer,
    answered_attempts: nullable(integer),
    output_data: nullable(jsonb<unknown>()),
    error: nullable(jsonb<StepErrorPayload>()),
    age_ms: float8,
    sealed: nullable(bytea),
  },
  sql: `select e.kind, e.node_id, e.iteration, e.attempt, e.answered_attempts, e.output_data, e.error,
          (extract(epoch from now() - e.at) * 1000)::float8 as age_ms,
          case when e.kind = 'step_completed' then c.sealed end as sealed
        from execution_events e
        left join run_checkpoints c
          on c.run_id = e.run_id and c.node_id = e.node_id and c.iteration = e.iteration
        where e.run_id = $1 order by e.seq`,
});

/** Loads the progress of a run: its journal, with the original outputs that sanitizing had changed. */
export async function loadProgress(db: Db, run: { runId: string; workspaceId: string }): Promise<Progress> {
  const rows = await readJournal.all(db, run);
  return resume(
    rows.map((row) => ({
      kind: row.kind,
      nodeId: row.node_id,
      iteration: row.iteration,
      attempt: row.attempt,
      answeredAttempts: row.answered_attempts ?? 0,
      output: row.sealed
        ? unseal(run.workspaceId, outputContext(run.runId, row.node_id, row.iteration), row.sealed)
        : row.output_data,
      error: row.error,
      ageMs: row.age_ms,
    })),
  );
}
