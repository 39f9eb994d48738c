"use client";

import cronstrue from "cronstrue";
import { useEffect, useState } from "react";
import { isTimeZone } from "#lib/contract/workspace/time-zone";
import { explainExpression, nextFires } from "#lib/core/schedules/next-fires";
import { formatDateTime, hasHalfDays } from "#lib/support/format/format-moment";
import { formatCount } from "#lib/support/format/format-number";
import { currentReader, readerIn } from "#lib/support/format/reader";

interface NextFiresPreviewProps {
  schedule: { mode: "interval"; seconds: number } | { mode: "cron"; expression: string; timezone: string };
  /** The time zone of the shown times; the viewer's own time is shown as well if it differs. */
  zone: string;
}

const SHOWN = 5;
const REFRESH_MS = 15_000;

/**
 * Shows the expression in words and the next five times, computed by the function that fires them (decisions,
 * Schedules).
 */
export function NextFiresPreview({ schedule, zone }: NextFiresPreviewProps) {
  const now = useNow();
  const problem = problemOf(schedule);
  if (problem !== null) {
    return (
      <p role="status" className="text-dense text-err">
        {problem}
      </p>
    );
  }
  const fires = nextFires(schedule.mode === "interval" ? { ...schedule, anchoredAt: now } : schedule, now, SHOWN);
  const viewers = currentReader().timeZone;
  return (
    <section aria-label="Upcoming runs" className="flex flex-col gap-2">
      <p role="status" className="text-text-2">
        {schedule.mode === "cron" ? wordsOf(schedule.expression) : `Every ${formatCount(schedule.seconds, "second")}`}
      </p>
      <ol className="flex flex-col divide-y divide-border rounded-2 border border-border text-dense">
        {fires.map((fire) => (
          <li key={fire.getTime()} className="flex flex-wrap justify-between gap-x-3 px-2.5 py-1 tabular-nums">
            <time dateTime={fire.toISOString()}>{formatDateTime(fire, readerIn(zone))}</time>
            {viewers === zone ? null : <span className="text-text-3">{formatDateTime(fire)}</span>}
          </li>
        ))}
      </ol>
      {schedule.mode === "cron" && schedule.timezone !== "UTC" ? (
        <p className="text-dense text-text-3">
          When clocks change, the schedule runs a skipped time right after the change, and a repeated time only once.
        </p>
      ) : null}
    </section>
  );
}

function problemOf(schedule: NextFiresPreviewProps["schedule"]): string | null {
  if (schedule.mode === "interval") return null;
  if (!isTimeZone(schedule.timezone)) return "Unknown time zone.";
  const problem = explainExpression(schedule.expression);
  return problem === null ? null : `The expression ${problem}.`;
}

function wordsOf(expression: string): string {
  try {
    return cronstrue.toString(expression, { use24HourTimeFormat: !hasHalfDays() });
  } catch {
    return expression;
  }
}

function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
