import { LIMITS } from "#lib/contract/limits";
import type { EventKind, JournalEvent, RunWarning } from "#lib/contract/run/journal";
import type { StepErrorPayload } from "#lib/contract/run/step-error";
import { type StoredJournalEvent, splitStep } from "#lib/domain/journal/read-events";

/** A payload's texts, and between them the places of its large values, from 1. */
type PayloadParts = readonly (string | number)[];

/** An event as the worker sent it. What is a default or nothing is left out. */
interface PackedEvent {
  node_id: string;
  /** `step_completed` if it is left out. */
  kind?: EventKind;
  iteration?: string;
  attempt?: number;
  age_ms?: number;
  duration_ms?: number;
  input_data?: unknown;
  input_parts?: PayloadParts;
  output_data?: unknown;
  output_parts?: PayloadParts;
  error?: StepErrorPayload;
  warnings?: RunWarning[];
  skip_reason?: NonNullable<JournalEvent["skipReason"]>;
  console?: string[];
}

/** The events that a run wrote together with its end (`journal_ends`). */
export interface PackedEvents {
  /** The place of the first event in the journal. */
  seq: number;
  /** The time from which the ages of the events count back. */
  at: string;
  events: readonly PackedEvent[];
  /** The large values of the payloads as JSON, as far as they were read; null for none. */
  large: readonly string[] | null;
}

/** The first event is shown completely, and may have two large payloads. */
const LARGE_VALUES_BYTES = 2 * LIMITS.timelineBytes;

/**
 * Builds the SQL of the packed events of a run as they are stored. `eventsJson` returns them too, as rows, which takes
 * PostgreSQL as long as all the rest of reading a run.
 * @param end the alias of `journal_ends`, joined so that a run without packed events has nulls
 */
export function packedEventsJson(end: string, { payloads }: { payloads: boolean }): string {
  const large = `(select json_agg(l.value order by l.place) from (
      select value, place, sum(octet_length(value)) over (order by place) - octet_length(value) as before
      from unnest(${end}.large) with ordinality as l (value, place)) l where l.before <= ${LARGE_VALUES_BYTES})`;
  return `case when ${end}.run_id is not null then json_build_object('seq', ${end}.seq, 'at', ${end}.at, 'events', ${end}.events,
    'large', ${payloads ? `case when ${end}.large is not null then ${large} end` : "null::json"}) end`;
}

interface PackedReading {
  /** False if the large values were not read. Then no event has payloads. */
  payloads: boolean;
  /** True if the events before them used up the bytes of a timeline. */
  isFull: boolean;
}

/**
 * Returns packed events as the journal has them. Their payloads are filled up to `LIMITS.timelineBytes`, and the events
 * after it have none, as in `eventsJson`.
 */
export function readPackedEvents(packed: PackedEvents, { payloads, isFull }: PackedReading): StoredJournalEvent[] {
  const large = packed.large ?? [];
  const at = Date.parse(packed.at);
  let used = 0;
  return packed.events.flatMap((event, index) => {
    const bytes = filledBytes(event.input_parts, large) + filledBytes(event.output_parts, large);
    used += bytes;
    const isFirst = used === bytes && Number.isFinite(bytes);
    const fits = payloads && !isFull && (used <= LIMITS.timelineBytes || isFirst);
    const { inputData, outputData, console } = readPayloads(event, large, fits);
    const { error, warnings, skip_reason: skipReason, duration_ms: durationMs } = event;
    const { kind = "step_completed", age_ms: ageMs = 0 } = event;
    const read: StoredJournalEvent = {
      kind,
      nodeId: event.node_id,
      iteration: event.iteration ?? "",
      attempt: event.attempt ?? 1,
      at: new Date(at - ageMs),
      reused: false,
      seq: packed.seq + index,
      isLeftOut: payloads && !fits && hasPayloads(event),
      ...(inputData == null ? {} : { inputData }),
      ...(outputData == null ? {} : { outputData }),
      ...(durationMs == null ? {} : { durationMs }),
      ...(error == null ? {} : { error }),
      ...(warnings == null ? {} : { warnings }),
      ...(skipReason == null ? {} : { skipReason }),
      ...(console == null ? {} : { console }),
    };
    const isWholeStep = kind === "step_completed" && (event.input_data ?? event.input_parts) != null;
    return isWholeStep ? splitStep(read) : [read];
  });
}

function hasPayloads(event: PackedEvent): boolean {
  const { input_data: input, input_parts: inputParts, output_data: output, output_parts: outputParts } = event;
  return (input ?? inputParts ?? output ?? outputParts ?? event.console) != null;
}

/** Infinite if a value was not read. Small payloads do not count: packed events have at most 16 KiB of them. */
function filledBytes(parts: PayloadParts | undefined, large: readonly string[]): number {
  let bytes = 0;
  for (const part of parts ?? []) {
    bytes += typeof part === "string" ? part.length : (large[part - 1]?.length ?? Number.POSITIVE_INFINITY);
  }
  return bytes;
}

type Payloads = Pick<StoredJournalEvent, "inputData" | "outputData" | "console">;

function readPayloads(event: PackedEvent, large: readonly string[], fits: boolean): Payloads {
  if (!fits) return {};
  const fill = (parts: PayloadParts) =>
    JSON.parse(parts.map((part) => (typeof part === "string" ? part : large[part - 1])).join(""));
  return {
    inputData: event.input_parts ? fill(event.input_parts) : event.input_data,
    outputData: event.output_parts ? fill(event.output_parts) : event.output_data,
    ...(event.console ? { console: event.console } : {}),
  };
}
