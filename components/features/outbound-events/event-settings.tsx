"use client";

import type { EventMailObject } from "#lib/contract/event/outbound-event";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { AlertRules } from "@/components/features/outbound-events/alert-rules";
import { EndpointList } from "@/components/features/outbound-events/endpoint-list";
import { EventChoice } from "@/components/features/outbound-events/event-choice";
import { SettingsFrame } from "@/components/features/settings/settings-frame";
import { useHasRole } from "@/components/shell/session-context";
import { QueryView } from "@/components/ui/lists/query-view";
import { Section } from "@/components/ui/lists/section";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { toast } from "@/components/ui/toast";

const RULES_POLL_MS = 30_000;

/** Configures who is notified about events in the workspace, and when an alert fires. */
export function EventSettings() {
  const isAdmin = useHasRole("admin");
  const rules = useOperation("list_alert_rules", {}, { refetchInterval: RULES_POLL_MS });
  return (
    <SettingsFrame>
      <div className="flex w-full max-w-[860px] flex-col gap-10 px-4 py-6">
        <Section
          title="Alert rules"
          description="Rules are checked several times a minute. Alerts are sent to the endpoints and mail that receive alert events."
        >
          <QueryView
            query={rules}
            skeleton={<Skeleton className="h-20 w-full" />}
            errorTitle="Couldn't load the alert rules."
          >
            {({ data }) => <AlertRules rules={data} />}
          </QueryView>
        </Section>
        {isAdmin ? <Channels /> : <p className="text-text-2">You need the admin role to manage endpoints and mail.</p>}
      </div>
    </SettingsFrame>
  );
}

function Channels() {
  const query = useOperation("list_event_endpoints", {});
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-40 w-full" />} errorTitle="Couldn't load the endpoints.">
      {({ data, mail }) => (
        <>
          <Section
            title="Endpoints"
            description="Send events to your own systems as signed webhooks, with retries for several days."
          >
            <EndpointList endpoints={data} />
          </Section>
          <Section title="Mail" description="Mail is sent to every member who can decide approvals.">
            <MailSection mail={mail} />
          </Section>
        </>
      )}
    </QueryView>
  );
}

/** Selects the events that are mailed to members who can decide approvals. */
function MailSection({ mail }: { mail: EventMailObject }) {
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
