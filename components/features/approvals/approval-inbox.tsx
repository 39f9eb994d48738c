"use client";

import { Hand } from "lucide-react";
import { type ApprovalRequestObject, INBOX_VIEWS, type InboxView } from "#lib/contract/approval/approval";
import { ApprovalPanel } from "@/components/features/approvals/approval-panel";
import { InboxRows } from "@/components/features/approvals/inbox-rows";
import { useInbox, usePendingCount } from "@/components/features/approvals/use-inbox";
import { useShownRequest } from "@/components/features/approvals/use-shown-request";
import { useShortcuts } from "@/components/shell/shortcuts";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { PageHeader } from "@/components/ui/lists/page-header";
import { Pager } from "@/components/ui/lists/pager";
import { QueryView } from "@/components/ui/lists/query-view";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";
import { Tabs } from "@/components/ui/lists/tabs";
import { useCursorPaging } from "@/components/ui/lists/use-cursor-paging";
import { choiceCodec, optionalTextCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const CODECS = { view: choiceCodec(INBOX_VIEWS, "pending"), approval: optionalTextCodec };
const NOTHING: readonly ApprovalRequestObject[] = [];

/**
 * Lists what waits for a person, with the list on the left and the request on the right. Below 1024 px a request has
 * its own page.
 */
export function ApprovalInbox() {
  const [{ view, approval }, setUrl] = useUrlState(CODECS);
  const paging = useCursorPaging();
  const waiting = usePendingCount();
  const labels: Record<InboxView, string> = {
    pending: waiting ? `Pending (${waiting})` : "Pending",
    decided: "Decided",
    expired: "Expired",
  };

  function show(next: InboxView) {
    paging.reset();
    setUrl({ view: next, approval: null });
  }

  const content = (
    <InboxPart view={view} paging={paging} chosenId={approval} onChoose={(id) => setUrl({ approval: id })} />
  );
  return (
    <>
      <PageHeader title="Approvals" />
      <Tabs
        label="Requests"
        value={view}
        onChange={show}
        listClassName="px-4"
        panelClassName="flex flex-col"
        tabs={INBOX_VIEWS.map((value) => ({ value, label: labels[value], content }))}
      />
    </>
  );
}

interface InboxPartProps {
  view: InboxView;
  paging: ReturnType<typeof useCursorPaging>;
  /** The chosen request. It stays shown after it leaves the list, so that the user sees its outcome. */
  chosenId: string | null;
  onChoose: (approvalId: string | null) => void;
}

function InboxPart({ view, paging, chosenId, onChoose }: InboxPartProps) {
  const query = useInbox(view, paging.cursor);
  const approvals = query.data?.data ?? NOTHING;
  const { id: shownId, nextId } = useShownRequest({
    approvals: query.isPlaceholderData ? undefined : query.data?.data,
    cursor: paging.cursor,
    chosenId,
  });

  function move(by: number) {
    const place = approvals.findIndex(({ id }) => id === shownId);
    const toId = place === -1 ? nextId : approvals[place + by]?.id;
    if (toId) onChoose(toId);
  }
  useShortcuts({ j: () => move(1), k: () => move(-1) });

  return (
    <QueryView query={query} skeleton={<InboxSkeleton />} errorTitle="Couldn't load the approvals.">
      {(page) =>
        approvals.length === 0 && chosenId === null ? (
          <NoRequests view={view} />
        ) : (
          <div className="grid flex-1 lg:grid-cols-[minmax(300px,400px)_minmax(0,1fr)]">
            <div className="min-w-0 border-border lg:border-r">
              <InboxRows approvals={approvals} selectedId={shownId} onSelect={onChoose} />
              {approvals.length === 0 ? <p className="px-4 py-3 text-text-2">{EMPTY_TITLES[view]}.</p> : null}
              <Pager paging={paging} nextCursor={page.next_cursor} noun="approvals" />
            </div>
            {shownId === null ? null : (
              <section aria-label="Request" className="hidden min-w-0 lg:block">
                <div className="sticky top-bar max-h-[calc(100dvh-var(--h-bar))] overflow-y-auto">
                  <ApprovalPanel approvalId={shownId} onDecided={() => onChoose(nextId)} hasShortcuts />
                </div>
              </section>
            )}
          </div>
        )
      }
    </QueryView>
  );
}

const EMPTY_TITLES: Record<InboxView, string> = {
  pending: "No pending requests",
  decided: "No decided requests",
  expired: "No expired requests",
};

function NoRequests({ view }: { view: InboxView }) {
  return (
    <EmptyState icon={Hand} title={EMPTY_TITLES[view]}>
      Runs that need approval wait here for up to one hour: calls to actions that need approval, and runs that reach an
      Approval step.
    </EmptyState>
  );
}

const ROWS = [1, 2, 3, 4];

function InboxSkeleton() {
  return (
    <div className="lg:max-w-[400px]">
      <LoadingLabel>Loading approvals</LoadingLabel>
      {ROWS.map((row) => (
        <div key={row} className="flex flex-col gap-2 border-b border-border px-4 py-3.5">
          <Skeleton className="h-3.5 w-40" />
          <Skeleton className="h-3 w-56" />
        </div>
      ))}
    </div>
  );
}
