"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { callOperation } from "@/components/api/call-operation";
import { operationKey } from "@/components/api/operation-hooks";
import { QueryView } from "@/components/ui/lists/query-view";
import { Section } from "@/components/ui/lists/section";
import { ShowMore } from "@/components/ui/lists/show-more";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { useEarly } from "@/components/ui/use-early";

const loadList = () => import("@/components/features/settings/activity-list");
const ActivityList = lazy(() => loadList().then((m) => ({ default: m.ActivityList })));
const EARLY = [loadList];
const PAGE_SIZE = 10;

/** Lists the user's sign-ins and the security changes of their account, newest first. */
export function AccountActivity() {
  useEarly(EARLY);
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
        {({ pages }) => (
          <Suspense fallback={<Skeleton className="h-48" />}>
            <ActivityList events={pages.flatMap(({ data }) => data)} />
          </Suspense>
        )}
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
