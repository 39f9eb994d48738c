import { clsx } from "clsx";
import { formatDuration } from "#lib/support/format/format-duration";
import type { NodeLight } from "@/components/canvas/store/node-light";
import { STEP_STATUS_LOOK } from "@/components/words/status";
import { TONE_TEXT } from "@/components/words/tone-text";

/** "Succeeded · 1.2 s · ↻1": the icon, word and color of a node's state in a run. */
export function LightLine({ light }: { light: NodeLight }) {
  const { tone, icon: Icon, word, isSpinning = false } = STEP_STATUS_LOOK[light.status];
  const { items, attempt, durationMs } = light;
  return (
    <span className={clsx("flex min-w-0 items-center gap-1.5 font-medium", TONE_TEXT[tone])}>
      <Icon
        aria-hidden
        className={clsx("size-3.5 shrink-0", isSpinning && "animate-spin motion-reduce:animate-none")}
        strokeWidth={2}
      />
      <span className="truncate">{word}</span>
      <span className="flex shrink-0 gap-1.5 font-normal tabular-nums">
        {items === null ? null : <span>{items.count === null ? items.done : `${items.done} of ${items.count}`}</span>}
        {durationMs === null || light.status === "skipped" ? null : <span>{formatDuration(durationMs)}</span>}
        {attempt > 1 ? <span title={`Attempt ${attempt}`}>↻{attempt - 1}</span> : null}
      </span>
    </span>
  );
}

/** The ring around a card, by its state in a run. */
export const LIGHT_RINGS: Record<NodeLight["status"], string> = {
  started: "border-run ring-2 ring-run-bg",
  completed: "border-ok",
  failed: "border-err ring-2 ring-err-bg",
  failed_continued: "border-warn ring-2 ring-warn-bg",
  skipped: "border-dashed border-border-strong",
  timed_out: "border-timeout ring-2 ring-timeout-bg",
  pending_approval: "border-wait ring-2 ring-wait-bg",
  waiting_for_delay: "border-wait ring-2 ring-wait-bg",
  waiting_for_callback: "border-wait ring-2 ring-wait-bg",
  cancelled: "border-border-strong",
  stopped: "border-border-strong",
  not_reached: "border-border opacity-55",
};
