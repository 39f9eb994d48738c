"use client";

import Link from "next/link";
import { lazy, Suspense } from "react";
import type { ActionDetailObject } from "#lib/contract/action";
import { ActionOverview } from "@/components/actions/action-overview";
import { ActionStatusChip } from "@/components/actions/action-status-chip";
import { ClientError } from "@/components/api/client-error";
import { useOperation } from "@/components/api/operation-hooks";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { LoadingLabel, Skeleton } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { choiceCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const ActionCallGuide = lazy(() =>
  import("@/components/actions/action-call-guide").then((m) => ({ default: m.ActionCallGuide })),
);
const ActionTryOut = lazy(() =>
  import("@/components/actions/action-try-out").then((m) => ({ default: m.ActionTryOut })),
);
const ActionSchema = lazy(() =>
  import("@/components/actions/action-schema").then((m) => ({ default: m.ActionSchema })),
);
const ActionReleases = lazy(() =>
  import("@/components/actions/action-releases").then((m) => ({ default: m.ActionReleases })),
);
const ActionRuns = lazy(() => import("@/components/actions/action-runs").then((m) => ({ default: m.ActionRuns })));

const TABS = ["overview", "call", "try", "schema", "releases", "runs"] as const;
const CODECS = { tab: choiceCodec(TABS, "overview") };

export function ActionDetail({ slug }: { slug: string }) {
  const action = useOperation("get_action", { slug });
  if (action.data) return <LoadedAction action={action.data} />;
  const trail = [{ label: "Actions", href: "/actions" }];
  if (action.isPending) {
    return (
      <>
        <PageHeader title={<span className="font-mono">{slug}</span>} trail={trail} />
        <LoadingLabel>Loading the action</LoadingLabel>
        <div className="flex h-10 items-center gap-5 border-b border-border px-4">
          {TABS.map((tab) => (
            <Skeleton key={tab} className="h-3.5 w-14" />
          ))}
        </div>
      </>
    );
  }
  const isMissing = action.error instanceof ClientError && action.error.status === 404;
  return (
    <>
      <PageHeader title={isMissing ? "Not found" : slug} trail={trail} />
      {isMissing ? (
        <EmptyState
          title="There is no such action"
          action={
            <Button asChild>
              <Link href="/actions">All actions</Link>
            </Button>
          }
        >
          No published action of this workspace has the slug “{slug}”.
        </EmptyState>
      ) : (
        <ErrorState
          title="The action could not be loaded."
          error={action.error}
          onRetry={() => void action.refetch()}
          isRetrying={action.isFetching}
        />
      )}
    </>
  );
}

function LoadedAction({ action }: { action: ActionDetailObject }) {
  const [{ tab }, setUrl] = useUrlState(CODECS);
  return (
    <>
      <PageHeader
        title={<span className="font-mono">{action.slug}</span>}
        trail={[{ label: "Actions", href: "/actions" }]}
        actions={
          tab === "try" ? undefined : (
            <Button variant="primary" onClick={() => setUrl({ tab: "try" }, "push")}>
              Try it
            </Button>
          )
        }
      >
        <ActionStatusChip status={action.status} />
        <span className="hidden sm:inline">
          <Badge>v{action.release_version}</Badge>
        </span>
      </PageHeader>
      <Tabs
        label="Parts of the action"
        value={tab}
        onChange={(next) => setUrl({ tab: next }, "push")}
        listClassName="px-4"
        panelClassName="p-4 sm:p-6"
        tabs={[
          { value: "overview", label: "Overview", content: <ActionOverview action={action} /> },
          {
            value: "call",
            label: "Call it",
            content: (
              <Suspense fallback={<PartSkeleton />}>
                <ActionCallGuide action={action} />
              </Suspense>
            ),
          },
          {
            value: "try",
            label: "Try it",
            content: (
              <Suspense fallback={<PartSkeleton />}>
                <ActionTryOut action={action} />
              </Suspense>
            ),
          },
          {
            value: "schema",
            label: "Schema",
            content: (
              <Suspense fallback={<PartSkeleton />}>
                <ActionSchema action={action} />
              </Suspense>
            ),
          },
          {
            value: "releases",
            label: "Releases",
            content: (
              <Suspense fallback={<PartSkeleton />}>
                <ActionReleases action={action} />
              </Suspense>
            ),
          },
          {
            value: "runs",
            label: "Runs",
            content: (
              <Suspense fallback={<PartSkeleton />}>
                <ActionRuns slug={action.slug} />
              </Suspense>
            ),
          },
        ]}
      />
    </>
  );
}

function PartSkeleton() {
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <Skeleton className="h-4 w-40" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-24 w-full" />
    </div>
  );
}
