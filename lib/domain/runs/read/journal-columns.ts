import { packedEventsJson } from "#lib/domain/journal/packed-events";
import { eventsJson } from "#lib/domain/journal/read-events";
import type { JournalColumns } from "#lib/domain/runs/read/run-row";

/** Which part of the journal a statement reads with the run. */
export type EventsRead = "none" | "without_payloads" | "full";

interface JournalRead {
  /** How many bytes of payloads each run may have. */
  maxBytes?: number;
  /** How many events of each run are read, and one more if there are more. */
  maxEvents?: number | string;
  /** A condition under which the journal is not read. */
  unless?: string;
  /** The alias of PACKED_JOIN: packed events are read as they are stored. */
  packed?: string;
}

/** Joins the events that are packed with the end of a `runs r`, as `p`. */
export const PACKED_JOIN = "left join lateral (select * from journal_ends where run_id = r.id offset 0) p on true";

/** Returns the journal's columns for runColumns, or undefined if it is not read. */
export function journalColumns(
  events: EventsRead,
  { unless, packed, ...read }: JournalRead = {},
): JournalColumns | undefined {
  if (events === "none") return undefined;
  const payloads = events === "full";
  const unlessKnown = (value: string) =>
    unless === undefined ? value : `case when ${unless} then null else ${value} end`;
  return {
    events: unlessKnown(eventsJson("r.id", { payloads, rowsOnly: packed !== undefined, ...read })),
    packed: unlessKnown(packed === undefined ? "null::json" : packedEventsJson(packed, { payloads })),
  };
}
