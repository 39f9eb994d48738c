"use client";

import { Timer } from "lucide-react";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatDateTime } from "#lib/support/format/format-moment";
import { formatCount } from "#lib/support/format/format-number";
import { endOfWait, type OpenWait } from "@/components/features/runs/list-waits";
import { useStepDetail } from "@/components/features/runs/timeline/use-step-detail";
import { useNow } from "@/components/words/use-now";

/** A loop can wait in many iterations at once. */
const SHOWN_MAX = 3;

interface WaitCardProps {
  runId: string;
  waits: readonly OpenWait[];
}

/** Shows what the run waits for, and until when. */
export function WaitCard({ runId, waits }: WaitCardProps) {
  const more = waits.length - SHOWN_MAX;
  return (
    <div className="flex gap-2.5 overflow-hidden rounded-3 border border-border bg-wait-bg px-3 py-2.5">
      <Timer aria-hidden className="mt-0.5 size-4 shrink-0 text-wait" />
      <ul className="flex min-w-0 flex-col gap-2">
        {waits.slice(0, SHOWN_MAX).map((wait) => (
          <WaitLine key={wait.key} runId={runId} wait={wait} />
        ))}
        {more > 0 ? <li className="text-text-2">and {formatCount(more, "other wait")}</li> : null}
      </ul>
    </div>
  );
}

/** Loads the input of the step, which says when the wait ends: the timeline of a run has no inputs. */
function WaitLine({ runId, wait }: { runId: string; wait: OpenWait }) {
  const { step, kind, occurrence } = wait;
  const now = useNow(true);
  const { data } = useStepDetail(runId, step, occurrence);
  return (
    <li className="[overflow-wrap:anywhere]">
      <p className="font-semibold text-wait">
        {kind === "callback" ? "Waiting for a callback" : "Waiting for a delay"}: {step.name}
      </p>
      <p className="text-text-2">{describeEnd(kind, endOfWait(step, data?.input), now)}</p>
    </li>
  );
}

function describeEnd(kind: OpenWait["kind"], endsMs: number | null, nowMs: number): string {
  const what =
    kind === "callback" ? "The run continues after a request to the address of the step" : "The run continues";
  if (endsMs === null) return kind === "callback" ? `${what}.` : `${what} when the delay is over.`;
  const leftMs = endsMs - nowMs;
  if (leftMs <= 0) return kind === "callback" ? "The address has expired." : "The wait is over.";
  const moment = formatDateTime(new Date(endsMs).toISOString());
  return kind === "callback"
    ? `${what}. The address expires in ${formatDuration(leftMs)}, at ${moment}.`
    : `${what} in ${formatDuration(leftMs)}, at ${moment}.`;
}
