import { db } from "#lib/platform/db/pool";
import type { ReceivedSpan } from "#lib/platform/telemetry/sdk/collector.fixture";

/** A span as the journal wants it. The ids are left out: parents are compared by what they are. */
interface WantedSpan {
  span: string;
  parent: string;
  startMs: number;
  endMs: number;
  error: string | null;
}

const millis = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

/**
 * For tests: what the journals say, read with SQL of its own. Each attempt ends with the next event of its step, or with
 * the run.
 */
const WANTED = `
  with attempts as (
    select e.run_id, e.node_id, e.iteration, e.attempt, e.at, e.seq, e.kind,
      lead(e.kind) over w as next_kind, lead(e.at) over w as next_at, lead(e.duration_ms) over w as next_ms,
      lead(e.error->>'code') over w as next_error
    from execution_events e
    where e.run_id = any($1) and not e.reused and e.kind not in ('step_pending_approval', 'step_skipped')
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
  )
  select 'attempt ' || run_id || ' ' || node_id || '/' || iteration || ' ' || attempt as span,
    'step ' || run_id || ' ' || node_id || '/' || iteration as parent,
    ${millis("at")} as "startMs", ${millis("end_at")} as "endMs", error
  from ended
  union all
  select 'run ' || r.id,
    case when r.parent_run_id is null then '' else 'attempt ' || r.parent_run_id || ' ' ||
      replace(regexp_replace(r.parent_step, ':r[0-9]+$', ''), ':', '/') || ' 1' end,
    ${millis("r.created_at")}, ${millis("r.completed_at")},
    case when r.status in ('failed', 'timed_out') then r.error->>'code' end
  from runs r where r.id = any($1)
  union all
  select 'queue ' || r.id, 'run ' || r.id, ${millis("r.created_at")}, ${millis("r.started_at")}, null
  from runs r where r.id = any($1) and r.started_at is not null`;

/** For tests: returns what the journals of these runs say about their spans, sorted. */
export async function readWantedSpans(runIds: readonly string[]): Promise<WantedSpan[]> {
  const { rows } = await db().query(WANTED, [runIds]);
  return rows.toSorted(bySpan);
}

/** For tests: returns the same of what the collector received, without steps, calls and requests. */
export function readReceivedSpans(spans: readonly ReceivedSpan[], runIds: readonly string[]): WantedSpan[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const wanted = new Set(runIds);
  return spans
    .filter(
      ({ name, attributes }) => wanted.has(String(attributes["signalbox.run.id"])) && /^(run|queue|attempt)/.test(name),
    )
    .map((span) => {
      const parent = byId.get(span.parentSpanId);
      const { startMs, endMs, error } = span;
      return { span: nameOf(span), parent: parent ? nameOf(parent) : "", startMs, endMs, error };
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
