import { db } from "#lib/platform/db/pool";
import type { ReceivedSpan } from "#lib/platform/telemetry/sdk/collector.fixture";

/** A span as the journal wants it. The ids are left out: parents are compared by what they are. */
interface WantedSpan {
  span: string;
  parent: string;
  startMs: number;
  endMs: number;
  error: string | null;
  /** How a run or a step ended; null for other spans. */
  status: string | null;
}

/** The statement compares the steps of these runs with each other. */
const RUNS_AT_ONCE = 50;
const millis = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

/**
 * For tests: what the journals say, read with SQL of its own. Each attempt ends with the next event of its step, or with
 * the run. One that started and ended in one write is one row. A step is from its first attempt to the end of its last one, and its last event says how it ended.
 * On a busy machine, a write that arrives late can move a start behind its end; such a span has no duration.
 */
const WANTED = `
  with events as (
    select e.* from unnest($1::uuid[]) given cross join lateral journal_events(given) e where not e.reused
      and e.kind not in ('step_pending_approval', 'step_skipped')
  ), entries as (
    select run_id, node_id, iteration, attempt, kind, at, seq::numeric as seq, duration_ms, error from events
    union all
    select run_id, node_id, iteration, attempt, 'step_started', at - duration_ms * interval '1 ms', seq - 0.5, null, null
    from events where kind = 'step_completed' and input_data is not null
  ), attempts as (
    select e.run_id, e.node_id, e.iteration, e.attempt, e.at, e.seq, e.kind,
      lead(e.kind) over w as next_kind, lead(e.at) over w as next_at, lead(e.duration_ms) over w as next_ms,
      lead(e.error->>'code') over w as next_error
    from entries e
    window w as (partition by e.run_id, e.node_id, e.iteration order by e.seq)
  ), ended as (
    select a.*, case
        when next_kind is null then r.completed_at
        when next_kind = 'step_started' and next_error is not null then at + next_ms * interval '1 ms'
        else next_at end as end_at,
      case
        when next_kind = 'step_started' then coalesce(next_error, 'worker_lost')
        when next_kind in ('step_failed', 'step_failed_continued', 'step_timed_out') then next_error end as error
    from attempts a join runs r on r.id = a.run_id where a.kind = 'step_started'
  ), steps as (
    select e.run_id, e.node_id, e.iteration, min(e.at) as at, (array_agg(e.end_at order by e.seq desc))[1] as end_at,
      (array_agg(e.error order by e.seq desc))[1] as error,
      (select substr(a.kind, length('step_') + 1) from attempts a
        where a.run_id = e.run_id and a.node_id = e.node_id and a.iteration = e.iteration and a.kind <> 'step_started'
        order by a.seq desc limit 1) as status,
      (select n->>'parentId' from runs r left join workflow_versions v on v.id = r.workflow_version_id,
          json_array_elements(coalesce(r.definition, v.definition)->'nodes') n
        where r.id = e.run_id and n->>'id' = e.node_id) as loop_id,
      regexp_replace(e.iteration, '[.]?[^.]*$', '') as loop_iteration
    from ended e group by 1, 2, 3
  )
  select 'attempt ' || run_id || ' ' || node_id || '/' || iteration || ' ' || attempt as span,
    'step ' || run_id || ' ' || node_id || '/' || iteration as parent,
    ${millis("at")} as "startMs", ${millis("greatest(at, end_at)")} as "endMs", error, null as status
  from ended
  union all
  select 'step ' || s.run_id || ' ' || s.node_id || '/' || s.iteration,
    case when s.iteration <> '' and exists (select 1 from steps l
        where l.run_id = s.run_id and l.node_id = s.loop_id and l.iteration = s.loop_iteration)
      then 'step ' || s.run_id || ' ' || s.loop_id || '/' || s.loop_iteration else 'run ' || s.run_id end,
    ${millis("s.at")}, ${millis("greatest(s.at, s.end_at)")}, case when s.status in ('failed', 'failed_continued', 'timed_out') then s.error end,
    coalesce(s.status, case when r.status = 'cancelled' then 'cancelled' else 'stopped' end)
  from steps s join runs r on r.id = s.run_id
  union all
  select 'run ' || r.id,
    case when r.parent_run_id is null then '' else 'attempt ' || r.parent_run_id || ' ' ||
      replace(regexp_replace(r.parent_step, ':r[0-9]+$', ''), ':', '/') || ' 1' end,
    ${millis("r.created_at")}, ${millis("r.completed_at")},
    case when r.status in ('failed', 'timed_out') then r.error->>'code' end, r.status
  from runs r where r.id = any($1)
  union all
  select 'queue ' || r.id, 'run ' || r.id, ${millis("r.created_at")}, ${millis("r.started_at")}, null, null
  from runs r where r.id = any($1) and r.started_at is not null`;

/** For tests: returns what the journals of these runs say about their spans, sorted. */
export async function readWantedSpans(runIds: readonly string[]): Promise<WantedSpan[]> {
  const rows: WantedSpan[] = [];
  for (let read = 0; read < runIds.length; read += RUNS_AT_ONCE) {
    const some = await db().query(WANTED, [runIds.slice(read, read + RUNS_AT_ONCE)]);
    rows.push(...some.rows);
  }
  return rows.toSorted(bySpan);
}

/** For tests: returns the same of what the collector received, without calls and requests. */
export function readReceivedSpans(spans: readonly ReceivedSpan[], runIds: readonly string[]): WantedSpan[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const wanted = new Set(runIds);
  return spans
    .filter(
      ({ name, attributes }) =>
        wanted.has(String(attributes["signalbox.run.id"])) && /^(run|queue|step|attempt)\b/.test(name),
    )
    .map((span) => {
      const parent = byId.get(span.parentSpanId);
      const { startMs, endMs, error } = span;
      const status = span.attributes[`signalbox.${span.name.startsWith("step ") ? "step" : "run"}.status`];
      return {
        span: nameOf(span),
        parent: parent ? nameOf(parent) : "",
        startMs,
        endMs,
        error,
        status: status === undefined ? null : String(status),
      };
    })
    .toSorted(bySpan);
}

function nameOf({ name, attributes }: ReceivedSpan): string {
  const runId = attributes["signalbox.run.id"];
  const step = `${attributes["signalbox.step.id"]}/${attributes["signalbox.step.iteration"] ?? ""}`;
  if (name === "attempt") return `attempt ${runId} ${step} ${attributes["signalbox.step.attempt"]}`;
  if (name.startsWith("step ")) return `step ${runId} ${step}`;
  return `${name.split(" ")[0]} ${runId}`;
}

function bySpan(left: WantedSpan, right: WantedSpan): number {
  return left.span < right.span ? -1 : 1;
}
