import type { JournalEventObject } from "#lib/contract/run/journal";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatInstant } from "#lib/support/format/format-moment";

interface StepEventsProps {
  events: readonly JournalEventObject[];
  /** When the run was created: entries show the time since then. */
  runCreatedAt: string;
}

/** Shows the journal's raw entries of a step. */
export function StepEvents({ events, runCreatedAt }: StepEventsProps) {
  const originMs = Date.parse(runCreatedAt);
  return (
    <ol aria-label="Journal" className="flex flex-col divide-y divide-border">
      {events.map((event) => (
        <li key={`${event.event} ${event.attempt} ${event.at}`} className="flex flex-col gap-0.5 py-2 first:pt-0">
          <p className="flex flex-wrap items-baseline gap-x-3 font-mono text-dense">
            <time dateTime={event.at} title={formatInstant(event.at)} className="w-20 text-text-3">
              {offsetWords(Date.parse(event.at) - originMs)}
            </time>
            <span className="font-medium">{event.event}</span>
            <span className="text-text-2">attempt {event.attempt}</span>
            {event.durationMs === undefined ? null : (
              <span className="text-text-2">{formatDuration(event.durationMs)}</span>
            )}
          </p>
          {event.error === undefined ? null : (
            <p className="pl-[92px] font-mono text-dense [overflow-wrap:anywhere] whitespace-pre-wrap text-err">
              {event.error.code}: {event.error.message}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

/** A reused step has the times of the run it was reused from, before this one started. */
function offsetWords(ms: number): string {
  return ms < 0 ? "before" : `+${formatDuration(ms)}`;
}
