import { expectedOutput, type Workload } from "#bench/faults/workload";
import type { OutsideCall } from "#bench/stage/outside";
import { openOutput } from "#lib/domain/runs/read/present-run";
import { db } from "#lib/platform/db/pool";

/** Counts of events that must never happen, from the database and from the calls that the outside server received. */
export interface Violations {
  /** Acknowledged runs that do not exist. */
  lost: number;
  /** Runs beyond the one run per call. */
  createdTwice: number;
  /** Runs that have not ended. */
  stuck: number;
  /** Runs that ended with a different outcome than expected. */
  wrongEnd: number;
  wrongOutput: number;
  /** Succeeded runs with a step that did not complete. */
  missingStep: number;
  completedTwice: number;
  /** Steps that started again after they had completed. */
  startedAfterCompletion: number;
  /** Calls that reached the outside server after the journal had their step's completion. */
  calledAfterCompletion: number;
  /** 1 if no run was acknowledged, because then all other counts prove nothing. */
  unproven: number;
}

/** Counts of events that may happen. */
export interface Repeats {
  /** Repeated starts of steps. */
  startedAgain: number;
  calledAgain: number;
  /** Steps that call the outside server. */
  steps: number;
}

interface RunRow {
  id: string;
  status: string;
  n: number;
  output: object | null;
  reason: string | null;
  recoveries: number;
  missing: number;
}

/** @param accepted the acknowledged runs, each with the number in its input */
export async function countViolations(
  workload: Workload,
  accepted: ReadonlyMap<string, number>,
  { calls, poison }: { calls: ReadonlyMap<string, OutsideCall[]>; poison: ReadonlySet<string> },
): Promise<Violations & { examples: string[] }> {
  const runs = await readRuns(workload);
  const known = new Set(runs.map((run) => run.id));
  const examples: string[] = [];
  const count = (what: string, rows: readonly RunRow[]) => {
    for (const row of rows.slice(0, 5)) examples.push(`${what}: ${JSON.stringify(row)}`);
    return rows.length;
  };
  const isOpen = (run: RunRow) => ["accepted", "running", "waiting_for_approval"].includes(run.status);
  const late = await findLateCalls(calls);
  for (const call of late.slice(0, 5)) {
    const made = calls
      .get(`${call.run_id}:${call.node_id}:`)
      ?.map((one) => [one.wallMs, one.isAnswered, one.droppedAtMs]);
    examples.push(`called after completion: ${JSON.stringify({ ...call, made })}`);
  }
  const succeeded = runs.filter((run) => run.status === "succeeded");
  return {
    lost: [...accepted.keys()].filter((id) => !known.has(id)).length,
    createdTwice: runs.length - new Set(runs.map((run) => run.n)).size,
    stuck: count("stuck", runs.filter(isOpen)),
    wrongEnd: count(
      "wrong end",
      runs.filter((run) => !isOpen(run) && !endsAsExpected(run, poison.has(run.id))),
    ),
    wrongOutput: count(
      "wrong output",
      succeeded.filter((run) => workload.httpNodes.length > 1 && !isExpected(run)),
    ),
    missingStep: count(
      "missing step",
      succeeded.filter((run) => run.missing > 0),
    ),
    ...(await countJournal(workload)),
    calledAfterCompletion: late.length,
    unproven: accepted.size === 0 ? 1 : 0,
    examples,
  };
}

type StoredOutput = Pick<Parameters<typeof openOutput>[0], "output" | "served_output" | "sealed_for">;

function endsAsExpected(run: RunRow, isPoison: boolean): boolean {
  return isPoison ? run.status === "failed" && run.reason === "worker_lost" : run.status === "succeeded";
}

function isExpected(run: RunRow): boolean {
  return JSON.stringify(run.output) === JSON.stringify(expectedOutput(run.id, run.n));
}

async function readRuns({ workspace, nodes }: Workload): Promise<RunRow[]> {
  const { rows } = await db().query<RunRow & StoredOutput>({
    text: `select r.id, r.status, (r.input ->> 'n')::int as n, r.output, r.output_sealed as served_output,
             r.workspace_id as sealed_for, r.error ->> 'reason' as reason, r.recoveries,
             cardinality($2::text[]) - (select count(distinct e.node_id)::int from journal_events(r.id) e
               where e.kind = 'step_completed' and e.node_id = any($2)) as missing
           from runs r where r.workspace_id = $1`,
    values: [workspace.workspaceId, nodes],
  });
  // The row has the redacted output, and a run must have passed on the original.
  return rows.map(({ served_output, sealed_for, ...run }) => ({
    ...run,
    output: openOutput({ ...run, served_output, sealed_for }),
  }));
}

async function countJournal({ workspace }: Workload) {
  const { rows } = await db().query<{ twice: number; after: number }>({
    text: `with done as (
        select run_id, node_id, iteration, count(*) as times, min(seq) as seq
        from runs r cross join lateral journal_events(r.id) where r.workspace_id = $1 and kind = 'step_completed' group by 1, 2, 3
      )
      select (select count(*)::int from done where times > 1) as twice,
        (select count(*)::int from done cross join lateral journal_events(done.run_id) e
          where (e.node_id, e.iteration) = (done.node_id, done.iteration) and e.kind = 'step_started' and e.seq > done.seq) as after`,
    values: [workspace.workspaceId],
  });
  return { completedTwice: rows[0]?.twice ?? 0, startedAfterCompletion: rows[0]?.after ?? 0 };
}

interface LateCall {
  run_id: string;
  node_id: string;
  /** The time of the last call after the completion, in ms. */
  late_ms: number;
  /** The run's journal from the step's first event on. Times are relative to the completion. */
  journal: string;
}

/**
 * Compares journal times with call times. Journal times come from the database, whose clock is also this process's
 * clock.
 */
async function findLateCalls(calls: ReadonlyMap<string, OutsideCall[]>): Promise<LateCall[]> {
  const repeated = [...calls.values()].flatMap((ofKey) => (ofKey.length > 1 ? [ofKey.at(-1) as OutsideCall] : []));
  const { rows } = await db().query<LateCall>({
    text: `select c.run_id, c.node_id, c.wall_ms - extract(epoch from e.at)::float8 * 1000 as late_ms,
             (select string_agg(o.node_id || ' ' || o.kind || ' ' || (extract(epoch from o.at - e.at) * 1000)::int, ', '
                order by o.seq) from journal_events(e.run_id) o
              where o.seq >= (select min(b.seq) from journal_events(e.run_id) b
                where b.node_id = e.node_id)) as journal
           from unnest($1::uuid[], $2::text[], $3::float8[]) as c (run_id, node_id, wall_ms)
           cross join lateral journal_events(c.run_id) e
           where e.node_id = c.node_id and e.kind = 'step_completed' and extract(epoch from e.at) * 1000 + 2 < c.wall_ms`,
    values: [
      repeated.map((call) => call.runId),
      repeated.map((call) => call.nodeId),
      repeated.map((call) => call.wallMs),
    ],
  });
  return rows;
}

export async function countRepeats(
  { workspace, httpNodes }: Workload,
  calls: ReadonlyMap<string, OutsideCall[]>,
): Promise<Repeats> {
  const { rows } = await db().query<{ again: number; steps: number }>({
    text: `select coalesce(sum(times - 1), 0)::int as again, count(*)::int as steps from (
        select count(*) filter (where kind = 'step_started') as times
        from runs r cross join lateral journal_events(r.id) where r.workspace_id = $1 and node_id = any($2) group by run_id, node_id, iteration
        having count(*) filter (where kind = 'step_started') > 0) as per_step`,
    values: [workspace.workspaceId, httpNodes],
  });
  const calledAgain = [...calls.values()].reduce((sum, ofKey) => sum + ofKey.length - 1, 0);
  return { startedAgain: rows[0]?.again ?? 0, steps: rows[0]?.steps ?? 0, calledAgain };
}
