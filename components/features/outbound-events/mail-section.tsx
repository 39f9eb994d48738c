"use client";

import type { EventMailObject } from "#lib/contract/outbound-event";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { EventChoice } from "@/components/features/outbound-events/event-choice";
import { toast } from "@/components/ui/toast";

/** What members who may decide are told of by mail. */
export function MailSection({ mail }: { mail: EventMailObject }) {
  const save = useOperationMutation("set_event_mail", {
    invalidates: ["list_event_endpoints"],
    onSuccess: ({ events }) => toast(events.length === 0 ? "No mail is sent any more." : "Saved."),
  });
  if (!mail.is_configured) {
    return (
      <p className="rounded-3 border border-border p-3 text-text-2">
        This installation sends no mail. Whoever operates it sets <code className="font-mono">SMTP_URL</code> and{" "}
        <code className="font-mono">MAIL_FROM</code>.
      </p>
    );
  }
  return (
    <EventChoice
      legend="Write when"
      events={save.isPending ? save.variables.events : mail.events}
      onChange={(events) => save.mutate({ events })}
      error={save.error?.message}
    />
  );
}
