import { ClipboardList, Clock, type LucideIcon, Radio, TriangleAlert, Webhook } from "lucide-react";
import type { TriggerKind } from "#lib/contract/trigger/trigger";
import type { WorkflowObject } from "#lib/contract/workflow/workflow";
import { TriggerStatusChip } from "@/components/features/triggers/trigger-status-chip";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/words/relative-time";

const TRIGGERS: Record<TriggerKind, { icon: LucideIcon; word: string }> = {
  webhook: { icon: Webhook, word: "Webhook" },
  schedule: { icon: Clock, word: "Schedule" },
  form: { icon: ClipboardList, word: "Form" },
  connector: { icon: Radio, word: "Event" },
  failure: { icon: TriangleAlert, word: "Failure" },
};

/** What is said of the last event of a trigger; "started" for the others. */
const CALLED: Partial<Record<TriggerKind, string>> = { webhook: "called", form: "sent" };

/** Shows the slug that agents call, or the trigger: when a schedule fires next, or when a webhook was last called. */
export function WorkflowStart({ workflow: { action, trigger } }: { workflow: WorkflowObject }) {
  if (action !== null) {
    return (
      <Link
        href={`/actions/${action.slug}`}
        title={action.slug}
        className="link relative block max-w-52 truncate font-mono text-dense"
      >
        {action.slug}
      </Link>
    );
  }
  if (trigger === null) return <span className="text-text-3">None</span>;
  const isSchedule = trigger.kind === "schedule";
  const { icon: Icon, word } = TRIGGERS[trigger.kind];
  const { next_at: nextAt, last_delivery: last } = trigger;
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon aria-hidden className="size-3.5 text-text-3" strokeWidth={1.75} />
      {word}
      {trigger.status === "paused" ? <TriggerStatusChip status="paused" /> : null}
      {nextAt === null ? null : (
        <span className="text-text-2">
          next run <RelativeTime at={nextAt} />
        </span>
      )}
      {isSchedule || last === null ? null : (
        <span className="text-text-2">
          {CALLED[trigger.kind] ?? "started"} <RelativeTime at={last.received_at} />
        </span>
      )}
    </span>
  );
}
