import type { EventKind, JournalEvent, JournalEventObject } from "#lib/contract/journal";
import type { StepErrorPayload } from "#lib/contract/step-error";

/** A journal event as it was stored. */
export interface StoredJournalEvent extends JournalEvent {
  /** True if a replay copied the event from the original run. */
  reused: boolean;
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
];

/**
 * Builds the SQL of a whole journal in the order it was written, as one JSON value, for statements that read it with
 * the run: one round trip instead of two.
 * @param runIdSql an expression of the statement, such as `r.id`
 * @param payloads false leaves out inputData and outputData, and with them most of the bytes
 * @param nodeIdSql limits the events to this node
 */
export function eventsJson(runIdSql: string, payloads: boolean, nodeIdSql?: string): string {
  const data = payloads ? "e.input_data, e.output_data" : "null, null";
  return `(select json_agg(json_build_array(e.kind, e.node_id, e.iteration, e.attempt, e.at, e.duration_ms, ${data},
    e.error, e.reused, e.kind = 'step_completed' and e.input_data is not null) order by e.seq) from execution_events e where e.run_id = ${runIdSql}${nodeIdSql === undefined ? "" : ` and e.node_id = ${nodeIdSql}`})`;
}

/** Parses the result of `eventsJson`. */
export function readEvents(tuples: readonly EventTuple[] | null): StoredJournalEvent[] {
  return (tuples ?? []).flatMap((tuple) => {
    const event = readEvent(tuple);
    const isWholeStep = tuple[10];
    return isWholeStep ? split(event) : [event];
  });
}

function readEvent(tuple: EventTuple): StoredJournalEvent {
  const [kind, nodeId, iteration, attempt, at, durationMs, inputData, outputData, error, reused] = tuple;
  return {
    kind,
    nodeId,
    iteration,
    attempt,
    at: new Date(at),
    reused,
    ...(inputData === null ? {} : { inputData }),
    ...(outputData === null ? {} : { outputData }),
    ...(durationMs === null ? {} : { durationMs }),
    ...(error === null ? {} : { error }),
  };
}

/** A step's start and its completion are two events, however they are stored (contract, Journal). */
function split(whole: StoredJournalEvent): [StoredJournalEvent, StoredJournalEvent] {
  const { inputData, outputData, durationMs = 0, ...step } = whole;
  const startedAt = new Date(whole.at.getTime() - durationMs);
  return [
    { ...step, kind: "step_started", at: startedAt, ...(inputData === undefined ? {} : { inputData }) },
    { ...step, durationMs, ...(outputData === undefined ? {} : { outputData }) },
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
    ...(event.durationMs === undefined ? {} : { durationMs: event.durationMs }),
    ...(event.error === undefined ? {} : { error: event.error }),
  };
}
