import type { EventKind } from "#lib/contract/journal";
import type { StepErrorPayload } from "#lib/contract/step-error";
import { type Progress, resume } from "#lib/core/engine/resume";
import { outputContext } from "#lib/domain/journal/checkpoints/sealed-contexts";
import type { Db } from "#lib/platform/db/pool";
import { unseal } from "#lib/platform/secrets/seal";

interface ProgressRow {
  kind: EventKind;
  node_id: string;
  iteration: string;
  attempt: number;
  answered_attempts: number | null;
  output_data: unknown;
  error: StepErrorPayload | null;
  sealed: Buffer | null;
  age_ms: number;
}

/** How far a run came: its journal, with the outputs that sanitizing had changed as they really were. */
export async function loadProgress(db: Db, run: { runId: string; workspaceId: string }): Promise<Progress> {
  const { rows } = await db.query<ProgressRow>({
    name: "load_progress",
    text: `select e.kind, e.node_id, e.iteration, e.attempt, e.answered_attempts, e.output_data, e.error,
             (extract(epoch from now() - e.at) * 1000)::float8 as age_ms,
             case when e.kind = 'step_completed' then c.sealed end as sealed
           from execution_events e
           left join run_checkpoints c
             on c.run_id = e.run_id and c.node_id = e.node_id and c.iteration = e.iteration
           where e.run_id = $1 order by e.seq`,
    values: [run.runId],
  });
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
