import { LIMITS } from "#lib/contract/limits";
import type { EventKind, JournalEvent, JournalEventObject, RunWarning } from "#lib/contract/run/journal";
import type { StepErrorPayload } from "#lib/contract/run/step-error";
import { jsonBytesSql } from "#lib/platform/db/json-bytes-sql";

/** A journal event as it was stored. */
export interface StoredJournalEvent extends JournalEvent {
  /** True if a replay copied the event from the original run. */
  reused: boolean;
  /** The place of its row in the journal. */
  seq: number;
  /** True if payloads were not read, because those before them used up the budget. */
  isLeftOut: boolean;
  /** The first event of its step, if only a part of the journal was read. */
  firstSeq?: number;
}

/** One event as `eventsJson` returns it. */
export type EventTuple = [
  kind: EventKind,
  nodeId: string,
  iteration: string,
  attempt: number,
  at: string,
  durationMs: number | null,
  inputData: unknown,
  outputData: unknown,
  error: StepErrorPayload | null,
  reused: boolean,
  /** A step that started and ended in one write is one row: `step_completed` with its input. */
  isWholeStep: boolean,
  seq: number,
  isLeftOut: boolean,
  firstSeq: number | null,
  warnings: RunWarning[] | null,
  skipReason: JournalEvent["skipReason"] | null,
  console: string[] | null,
];

interface EventsPart {
  /** False leaves out inputData and outputData, and with them most of the bytes. */
  payloads: boolean;
  /** Limits the events to a condition on `e`. */
  where?: string;
  /** The place from which payloads are read, as an expression. */
  fromSeq?: string;
  /** The payloads that are read at most: bytes, or an expression. */
  maxBytes?: number | string;
  /** The events that are read at most, and one more if there are more: a number, or an expression. */
  maxEvents?: number | string;
  /** Joins tables to `e`. */
  join?: string;
  /** The first event of the event's step, as an expression on the joined tables. */
  firstSeq?: string;
  /** True leaves out the events that are packed with the end of the run: `packedEventsJson` reads them. */
  rowsOnly?: boolean;
}

/**
 * Builds the SQL of a journal in the order it was written, as one JSON value, for statements that read it with the run:
 * one round trip instead of two.
 * Payloads are read up to a number of bytes, and the events after it without them: a journal can have 64 MiB. The first
 * event has its payloads, however large they are.
 * @param runIdSql an expression of the statement, such as `r.id`
 */
export function eventsJson(runIdSql: string, part: EventsPart): string {
  const { payloads, where = "true", fromSeq = "0", maxBytes = LIMITS.timelineBytes } = part;
  const { maxEvents = LIMITS.timelineEvents, join = "", firstSeq = "null::bigint" } = part;
  const stored = part.rowsOnly
    ? `(select * from execution_events where run_id = ${runIdSql})`
    : `expand_journal(${runIdSql}, ${payloads})`;
  const data = payloads
    ? "case when e.fits then e.input_data end, case when e.fits then e.output_data end"
    : "null, null";
  const console = payloads ? "case when e.fits then e.console end" : "null";
  const bytes = `case when e.seq >= ${fromSeq} then ${jsonBytesSql("e.input_data")} + ${jsonBytesSql("e.output_data")} + ${jsonBytesSql("e.console")}
    else 0 end`;
  const read = "over (order by e.seq rows unbounded preceding)";
  const fits = `e.seq >= ${fromSeq} and (sum(${bytes}) ${read} <= ${maxBytes} or sum(${bytes}) ${read} = ${bytes})`;
  const isLeftOut = payloads
    ? "not e.fits and (e.input_data is not null or e.output_data is not null or e.console is not null)"
    : "false";
  return `(select json_agg(json_build_array(e.kind, e.node_id, e.iteration, e.attempt, e.at, e.duration_ms, ${data},
    e.error, e.reused, e.kind = 'step_completed' and e.input_data is not null, e.seq, ${isLeftOut}, e.first_seq, e.warnings,
    e.skip_reason, ${console}) order by e.seq)
    from (select e.*, ${payloads ? fits : "true"} as fits from (select e.*, ${firstSeq} as first_seq from ${stored} e
      ${join} where ${where} order by e.seq limit (${maxEvents}) + 1) e) e)`;
}

/** Parses the result of `eventsJson`. */
export function readEvents(tuples: readonly EventTuple[] | null): StoredJournalEvent[] {
  return (tuples ?? []).flatMap((tuple) => {
    const event = readEvent(tuple);
    const isWholeStep = tuple[10];
    return isWholeStep ? splitStep(event) : [event];
  });
}

function readEvent(tuple: EventTuple): StoredJournalEvent {
  const [kind, nodeId, iteration, attempt, at, durationMs, inputData, outputData, error, reused] = tuple;
  const [seq, isLeftOut, firstSeq, warnings] = [tuple[11], tuple[12], tuple[13], tuple[14]];
  const [skipReason, console] = [tuple[15], tuple[16]];
  return {
    kind,
    nodeId,
    iteration,
    attempt,
    at: new Date(at),
    reused,
    seq,
    isLeftOut,
    ...(firstSeq === null ? {} : { firstSeq }),
    ...(inputData === null ? {} : { inputData }),
    ...(outputData === null ? {} : { outputData }),
    ...(durationMs === null ? {} : { durationMs }),
    ...(error === null ? {} : { error }),
    ...(warnings === null ? {} : { warnings }),
    ...(skipReason ? { skipReason } : {}),
    ...(console === null ? {} : { console }),
  };
}

/** A step's start and its completion are two events, however they are stored (contract, Journal). */
export function splitStep(whole: StoredJournalEvent): [StoredJournalEvent, StoredJournalEvent] {
  const { inputData, outputData, durationMs = 0, warnings, console, ...step } = whole;
  const startedAt = new Date(whole.at.getTime() - durationMs);
  return [
    { ...step, kind: "step_started", at: startedAt, ...(inputData === undefined ? {} : { inputData }) },
    {
      ...step,
      durationMs,
      ...(outputData === undefined ? {} : { outputData }),
      ...(warnings === undefined ? {} : { warnings }),
      ...(console === undefined ? {} : { console }),
    },
  ];
}

/** Presents a raw event for `include=events` (contract, Journal). */
export function presentJournalEvent(event: StoredJournalEvent): JournalEventObject {
  return {
    event: event.kind,
    step_id: event.nodeId,
    iteration: event.iteration,
    attempt: event.attempt,
    at: event.at.toISOString(),
    ...("inputData" in event ? { inputData: event.inputData } : {}),
    ...("outputData" in event ? { outputData: event.outputData } : {}),
    ...(event.isLeftOut ? { truncated: true } : {}),
    ...(event.durationMs === undefined ? {} : { durationMs: event.durationMs }),
    ...(event.error === undefined ? {} : { error: event.error }),
    ...(event.skipReason === undefined ? {} : { skipReason: event.skipReason }),
    ...(event.warnings === undefined ? {} : { warnings: event.warnings }),
    ...(event.console === undefined ? {} : { console: event.console }),
  };
}
