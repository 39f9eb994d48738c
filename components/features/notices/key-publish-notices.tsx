"use client";

import { lazy, Suspense } from "react";
import { useOperation } from "@/components/api/operation-hooks";
import { useHasRole } from "@/components/shell/session-context";

const REFRESH_MS = 60_000;
/** The newest events about actions, among which the notices are; pauses and archives are rare. */
const READ = 50;

/** Every page has this, and most of the time there is no notice. */
const NoticeList = lazy(() =>
  import("@/components/features/notices/notice-list").then((m) => ({ default: m.NoticeList })),
);

/** Shows owners and admins what an API key's publish loosened in the last week, until they dismiss it. */
export function KeyPublishNotices() {
  const isAdmin = useHasRole("admin");
  return isAdmin ? <Notices /> : null;
}

function Notices() {
  const query = useOperation("list_audit_events", { action: "action", limit: READ }, { refetchInterval: REFRESH_MS });
  const events = query.data?.data ?? [];
  if (events.length === 0) return null;
  return (
    <Suspense>
      <NoticeList events={events} readAt={query.dataUpdatedAt} />
    </Suspense>
  );
}
