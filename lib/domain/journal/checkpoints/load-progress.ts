import { EVENT_KINDS, type RunWarning } from "#lib/contract/run/journal";
import type { StepErrorPayload } from "#lib/contract/run/step-error";
import { advance, type OpenProgress, type Progress } from "#lib/core/engine/resume";
import { addWarnings } from "#lib/core/engine/run-state";
import { outputContext } from "#lib/domain/journal/checkpoints/load-outputs";
import {
  bigint,
  boolean,
  bytea,
  enumOf,
  float8,
  integer,
  json,
  jsonb,
  nullable,
  text,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { jsonBytesSql } from "#lib/platform/db/json-bytes-sql";
import type { Db } from "#lib/platform/db/pool";
import { unseal } from "#lib/platform/secrets/seal";
import { takeTurn } from "#lib/support/take-turn";

/** Events that one statement reads. */
const PAGE = 1_000;

const readJournal = defineStatement({
  name: "load_progress",
  params: { runId: uuid, after: bigint, isMeasured: boolean },
  row: {
    seq: bigint,
    bytes: integer,
    console_bytes: integer,
    kind: enumOf(EVENT_KINDS),
    node_id: text,
    iteration: text,
    attempt: integer,
    answered_attempts: nullable(integer),
    output: nullable(json<unknown>()),
    error: nullable(jsonb<StepErrorPayload>()),
    age_ms: float8,
    sealed: nullable(bytea),
    warnings: nullable(json<RunWarning[]>()),
  },
  sql: `select e.seq, case when $3 then ${jsonBytesSql("e.input_data")} + ${jsonBytesSql("e.output_data")} else 0 end as bytes,
          case when e.console is null then 0 else octet_length(e.console::text) end as console_bytes,
          e.kind, e.node_id, e.iteration, e.attempt, e.answered_attempts,
          case when c.sealed is null then coalesce(e.output_written, e.output_data::json) end as output, e.error,
          (extract(epoch from now() - e.at) * 1000)::float8 as age_ms,
          c.sealed, e.warnings
        from journal_events($1) e
        left join run_checkpoints c
          on c.run_id = e.run_id and c.node_id = e.node_id and c.iteration = e.iteration
          and e.kind = 'step_completed'
        where e.seq > $2 order by e.seq limit ${PAGE}`,
});

export interface LoadedProgress {
  progress: Progress;
  /** What the payloads of the journal take as JSON. */
  journalBytes: number;
  /** What the consoles of the journal take as JSON. */
  consoleBytes: number;
  warnings: readonly RunWarning[];
}

/**
 * Loads the progress of a run: its journal, with the original outputs that sanitizing had changed. It is read in parts,
 * so only the outputs are in memory together, which have 10 MiB.
 * @param run with the size of its journal's payloads; null to measure them as they are stored, sanitized
 */
export async function loadProgress(
  db: Db,
  run: { runId: string; workspaceId: string; journalBytes: number | null },
): Promise<LoadedProgress> {
  const progress: OpenProgress = new Map();
  let journalBytes = run.journalBytes ?? 0;
  let consoleBytes = 0;
  const warnings: RunWarning[] = [];
  const isMeasured = run.journalBytes === null;
  for (let after = 0; ; ) {
    const rows = await readJournal.all(db, { runId: run.runId, after, isMeasured });
    for (const row of rows) {
      const turn = row.sealed && takeTurn();
      if (turn !== null) await turn;
      advance(progress, [
        {
          kind: row.kind,
          nodeId: row.node_id,
          iteration: row.iteration,
          attempt: row.attempt,
          answeredAttempts: row.answered_attempts ?? 0,
          output: row.sealed
            ? unseal(run.workspaceId, outputContext(run.runId, row.node_id, row.iteration), row.sealed)
            : row.output,
          error: row.error,
          ageMs: row.age_ms,
        },
      ]);
    }
    for (const row of rows) {
      journalBytes += row.bytes;
      consoleBytes += row.console_bytes;
      if (row.warnings) addWarnings(warnings, row.warnings);
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return { progress, journalBytes, consoleBytes, warnings };
    after = last.seq;
  }
}
