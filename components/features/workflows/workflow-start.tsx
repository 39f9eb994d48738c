import { Clock, Webhook } from "lucide-react";
import type { WorkflowObject } from "#lib/contract/workflow/workflow";
import { TriggerStatusChip } from "@/components/features/triggers/trigger-status-chip";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/words/relative-time";

/** Shows the slug that agents call, or the trigger: when a schedule fires next, or when a webhook was last called. */
export function WorkflowStart({ workflow: { action, trigger } }: { workflow: WorkflowObject }) {
  if (action !== null) {
    return (
      <Link
        href={`/actions/${action.slug}`}
        title={action.slug}
        className="link relative block max-w-56 truncate font-mono text-dense"
      >
        {action.slug}
      </Link>
    );
  }
  if (trigger === null) return <span className="text-text-3">None</span>;
  const isSchedule = trigger.kind === "schedule";
  const Icon = isSchedule ? Clock : Webhook;
  const { next_at: nextAt, last_delivery: last } = trigger;
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon aria-hidden className="size-3.5 text-text-3" strokeWidth={1.75} />
      {isSchedule ? "Schedule" : "Webhook"}
      {trigger.status === "paused" ? <TriggerStatusChip status="paused" /> : null}
      {nextAt === null ? null : (
        <span className="text-text-2">
          next run <RelativeTime at={nextAt} />
        </span>
      )}
      {isSchedule || last === null ? null : (
        <span className="text-text-2">
          called <RelativeTime at={last.received_at} />
        </span>
      )}
    </span>
  );
}
