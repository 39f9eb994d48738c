"use client";

import type { EventMailObject } from "#lib/contract/outbound-event";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { EventChoice } from "@/components/features/outbound-events/event-choice";
import { toast } from "@/components/ui/toast";

/** Selects the events that are mailed to members who can decide approvals. */
export function MailSection({ mail }: { mail: EventMailObject }) {
  const save = useOperationMutation("set_event_mail", {
    invalidates: ["list_event_endpoints"],
    onSuccess: ({ events }) => toast(events.length === 0 ? "Mail is turned off." : "Saved."),
  });
  if (!mail.is_configured) {
    return (
      <p className="rounded-3 border border-border p-3 text-text-2">
        Mail isn't set up. The operator of this instance can set <code className="font-mono">SMTP_URL</code> and{" "}
        <code className="font-mono">MAIL_FROM</code>.
      </p>
    );
  }
  return (
    <EventChoice
      legend="Send mail when"
      events={save.isPending ? save.variables.events : mail.events}
      onChange={(events) => save.mutate({ events })}
      error={save.error?.message}
    />
  );
}
