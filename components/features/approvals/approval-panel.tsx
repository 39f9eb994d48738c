"use client";

import { lazy, Suspense, useEffect } from "react";
import { ClientError } from "@/components/api/client-error";
import { useApproval } from "@/components/features/approvals/use-inbox";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { QueryView } from "@/components/ui/lists/query-view";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";

/** The detail loads with the request itself, after the list. */
const loadDetail = () => import("@/components/features/approvals/approval-detail");
const ApprovalDetail = lazy(() => loadDetail().then((m) => ({ default: m.ApprovalDetail })));

interface ApprovalPanelProps {
  approvalId: string;
  onDecided?: () => void;
  hasShortcuts?: boolean;
}

/** Shows one request and refetches it while it is pending. */
export function ApprovalPanel({ approvalId, ...rest }: ApprovalPanelProps) {
  const query = useApproval(approvalId);
  useEffect(() => void loadDetail().catch(() => undefined), []);
  if (query.error instanceof ClientError && query.error.status === 404 && query.data === undefined) {
    return (
      <EmptyState title="Request not found">
        The request belongs to another workspace, or its run was deleted at the end of the retention period.
      </EmptyState>
    );
  }
  return (
    <QueryView query={query} skeleton={<PanelSkeleton />} errorTitle="Couldn't load the request.">
      {(approval) => (
        <Suspense fallback={<PanelSkeleton />}>
          <ApprovalDetail approval={approval} {...rest} />
        </Suspense>
      )}
    </QueryView>
  );
}

function PanelSkeleton() {
  return (
    <div className="flex flex-col gap-4 p-5">
      <LoadingLabel>Loading request</LoadingLabel>
      <Skeleton className="h-6 w-56" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-32 w-full" />
    </div>
  );
}
