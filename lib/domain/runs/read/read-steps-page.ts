import { LIMITS } from "#lib/contract/limits";
import { type EventTuple, eventsJson } from "#lib/domain/journal/read-events";
import { bigint, boolean, integer, json, nullable, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";

export interface StepsPageRequest {
  runId: string;
  /** The seq at which the page starts. */
  from: number;
  withPayloads: boolean;
  /** Only the steps that failed. */
  onlyFailed: boolean;
  /** A smaller page also loads less. */
  maxSteps: number;
}

/** A part of a journal, and what an answer must say about the whole. */
export interface StoredStepsPage {
  events: EventTuple[];
  /** The steps of the run, or those that failed. */
  total: number;
  /** The steps in loops, by node. */
  iterated: readonly { node_id: string; steps: number; failed: number }[];
  /** The first event of the next page's first step; null on the last page. */
  nextSeq: number | null;
}

const FAILED = sqlSet(["step_failed", "step_failed_continued", "step_timed_out"]);
const NEXT = "coalesce((select seq from next), 9223372036854775807)";

function definePage(payloads: boolean) {
  const events = eventsJson("$1", {
    payloads,
    fromSeq: "$2",
    maxBytes: `$4 * ${LIMITS.timelineBytes / LIMITS.stepsPageSize}`,
    // A page has few events of a step, but each of its attempts has one.
    maxEvents: 2 * LIMITS.runSteps,
    join: "join steps s on s.node_id = e.node_id and s.iteration = e.iteration",
    firstSeq: "s.first",
    // The raw events of the page, and the late events of its steps.
    where: `(e.seq >= $2 and e.seq < ${NEXT} or s.first >= $2 and s.first < ${NEXT} and s.is_wanted)`,
  });
  return defineStatement({
    name: `read_steps_page_${payloads ? "full" : "without_payloads"}`,
    params: { runId: uuid, from: bigint, onlyFailed: boolean, maxSteps: bigint },
    row: {
      total: integer,
      next_seq: nullable(bigint),
      iterated: nullable(json<StoredStepsPage["iterated"]>()),
      events: nullable(json<EventTuple[]>()),
    },
    // A gate that no one decided in time has no event that says so.
    sql: `with steps as materialized (
        select *, last_kind in ${FAILED} as has_failed,
          not $3 or last_kind in ${FAILED} or last_kind = 'step_pending_approval' as is_wanted
        from (select node_id, iteration, min(seq) as first, (array_agg(kind order by seq desc))[1] as last_kind
          from journal_events($1) group by node_id, iteration) s
      ), next as materialized (
        select first as seq from steps where first >= $2 and is_wanted order by first offset $4 limit 1
      )
      select (select count(*) from steps where is_wanted)::integer as total, (select seq from next) as next_seq,
        (select json_agg(l) from (select node_id, count(*) as steps, count(*) filter (where has_failed) as failed
          from steps where iteration <> '' group by node_id order by min(first)) l) as iterated,
        ${events} as events`,
  });
}

const READ_PAGE = { full: definePage(true), withoutPayloads: definePage(false) };

/** Reads one page of the steps of a large run. The whole journal could be 40,000 events. */
export async function readStepsPage({ withPayloads, ...request }: StepsPageRequest): Promise<StoredStepsPage> {
  const { total, iterated, next_seq, events } = await READ_PAGE[withPayloads ? "full" : "withoutPayloads"].one(
    db(),
    request,
  );
  return { total, iterated: iterated ?? [], nextSeq: next_seq, events: events ?? [] };
}
