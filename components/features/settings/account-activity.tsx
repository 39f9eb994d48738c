"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { AuditEventObject } from "#lib/contract/workspace";
import { callOperation } from "@/components/api/call-operation";
import { operationKey } from "@/components/api/operation-hooks";
import { describeAccountEvent, isFailedAttempt } from "@/components/features/settings/activity-words";
import { QueryView } from "@/components/ui/lists/query-view";
import { Section } from "@/components/ui/lists/section";
import { ShowMore } from "@/components/ui/lists/show-more";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { describeAction } from "@/components/words/audit-words";
import { RelativeTime } from "@/components/words/relative-time";

const PAGE_SIZE = 10;

/** Lists the user's sign-ins and the security changes of their account, newest first. */
export function AccountActivity() {
  const query = useInfiniteQuery({
    queryKey: operationKey("list_account_activity"),
    queryFn: ({ pageParam, signal }) =>
      callOperation(
        "list_account_activity",
        { limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  return (
    <Section
      title="Security activity"
      description="Sign-ins and changes to how you sign in. If you don't recognize one, change your password and sign out everywhere."
    >
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-48" />}
        errorTitle="Couldn't load your security activity."
      >
        {({ pages }) => <ActivityList events={pages.flatMap(({ data }) => data)} />}
      </QueryView>
      {query.isFetchNextPageError ? (
        <p role="alert" className="text-err">
          {query.error.message}
        </p>
      ) : null}
      <ShowMore query={query} />
    </Section>
  );
}

function ActivityList({ events }: { events: readonly AuditEventObject[] }) {
  if (events.length === 0) {
    return <p className="text-text-2">Nothing is recorded yet. Your next sign-in appears here.</p>;
  }
  return (
    <ul aria-label="Security activity" className="divide-y divide-border rounded-3 border border-border bg-surface">
      {events.map((event) => (
        <ActivityItem key={event.event_id} event={event} />
      ))}
    </ul>
  );
}

function ActivityItem({ event }: { event: AuditEventObject }) {
  const details = describeAccountEvent(event);
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1 px-3 py-2.5">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex items-center gap-2">
          {isFailedAttempt(event) ? <TriangleAlert aria-hidden className="size-4 shrink-0 text-warn" /> : null}
          {describeAction(event.action)}
        </p>
        {details === "" ? null : <p className="text-dense text-text-2 [overflow-wrap:anywhere]">{details}</p>}
      </div>
      <span className="text-dense text-text-2">
        <RelativeTime at={event.at} />
      </span>
    </li>
  );
}
