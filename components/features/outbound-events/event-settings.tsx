"use client";

import { useOperation } from "@/components/api/operation-hooks";
import { AlertRules } from "@/components/features/outbound-events/alert-rules";
import { EndpointList } from "@/components/features/outbound-events/endpoint-list";
import { MailSection } from "@/components/features/outbound-events/mail-section";
import { SettingsFrame } from "@/components/features/settings/settings-frame";
import { useHasRole } from "@/components/shell/session-context";
import { QueryView } from "@/components/ui/lists/query-view";
import { Section } from "@/components/ui/lists/section";
import { Skeleton } from "@/components/ui/lists/skeleton";

const RULES_POLL_MS = 30_000;

/** Who is told of what happens in the workspace, and when somebody should be alarmed. */
export function EventSettings() {
  const isAdmin = useHasRole("admin");
  const rules = useOperation("list_alert_rules", {}, { refetchInterval: RULES_POLL_MS });
  return (
    <SettingsFrame>
      <div className="flex w-full max-w-[860px] flex-col gap-10 px-4 py-6">
        <Section
          title="Alert rules"
          description="Looked at several times a minute. They reach the endpoints and the mail that listen to alerts."
        >
          <QueryView
            query={rules}
            skeleton={<Skeleton className="h-20 w-full" />}
            errorTitle="The alert rules could not be loaded."
          >
            {({ data }) => <AlertRules rules={data} />}
          </QueryView>
        </Section>
        {isAdmin ? <Channels /> : <p className="text-text-2">Endpoints and mail need the admin role.</p>}
      </div>
    </SettingsFrame>
  );
}

function Channels() {
  const query = useOperation("list_event_endpoints", {});
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton className="h-40 w-full" />}
      errorTitle="The endpoints could not be loaded."
    >
      {({ data, mail }) => (
        <>
          <Section title="Endpoints" description="Your own systems, told by a signed webhook, with retries for days.">
            <EndpointList endpoints={data} />
          </Section>
          <Section title="Mail" description="To every member who may decide approvals.">
            <MailSection mail={mail} />
          </Section>
        </>
      )}
    </QueryView>
  );
}
