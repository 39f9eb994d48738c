"use client";

import { lazy } from "react";
import type { ActionDetailObject } from "#lib/contract/action/action";
import { useOperation } from "@/components/api/operation-hooks";
import { ActionOverview } from "@/components/features/actions/action-overview";
import { ActionStatusChip } from "@/components/features/actions/action-status-chip";
import { DetailFailure } from "@/components/shell/detail-failure";
import { DetailTabs } from "@/components/shell/detail-tabs";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/lists/page-header";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";
import { choiceCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const ActionCallGuide = lazy(() =>
  import("@/components/features/actions/action-call-guide").then((m) => ({ default: m.ActionCallGuide })),
);
const ActionTryOut = lazy(() =>
  import("@/components/features/actions/action-try-out").then((m) => ({ default: m.ActionTryOut })),
);
const ActionSchema = lazy(() =>
  import("@/components/features/actions/action-schema").then((m) => ({ default: m.ActionSchema })),
);
const ActionReleases = lazy(() =>
  import("@/components/pages/action/action-releases").then((m) => ({ default: m.ActionReleases })),
);
const ActionRuns = lazy(() =>
  import("@/components/features/actions/action-runs").then((m) => ({ default: m.ActionRuns })),
);

const TABS = ["overview", "call", "try", "schema", "releases", "runs"] as const;
type Tab = (typeof TABS)[number];

const TAB_LABELS: Record<Tab, string> = {
  overview: "Overview",
  call: "Call it",
  try: "Try it",
  schema: "Schema",
  releases: "Releases",
  runs: "Runs",
};
const LIST = { label: "Actions", href: "/actions" };
const CODECS = { tab: choiceCodec(TABS, "overview") };

export function ActionDetail({ slug }: { slug: string }) {
  const action = useOperation("get_action", { slug });
  if (action.data) return <LoadedAction action={action.data} />;
  if (action.isPending) {
    return (
      <>
        <PageHeader title={<span className="font-mono">{slug}</span>} trail={[LIST]} />
        <LoadingLabel>Loading the action</LoadingLabel>
        <div className="flex h-10 items-center gap-5 border-b border-border px-4">
          {TABS.map((tab) => (
            <Skeleton key={tab} className="h-3.5 w-14" />
          ))}
        </div>
      </>
    );
  }
  return (
    <DetailFailure query={action} noun="action" title={slug} list={LIST}>
      No published action in this workspace has the slug “{slug}”.
    </DetailFailure>
  );
}

function LoadedAction({ action }: { action: ActionDetailObject }) {
  const [{ tab }, setUrl] = useUrlState(CODECS);
  return (
    <>
      <PageHeader
        title={<span className="font-mono">{action.slug}</span>}
        trail={[LIST]}
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
      <DetailTabs
        label="Parts of the action"
        tabs={TABS}
        labels={TAB_LABELS}
        value={tab}
        onChange={(next) => setUrl({ tab: next }, "push")}
        skeleton={<PartSkeleton />}
      >
        <ActionPart tab={tab} action={action} />
      </DetailTabs>
    </>
  );
}

function ActionPart({ tab, action }: { tab: Tab; action: ActionDetailObject }) {
  switch (tab) {
    case "overview":
      return <ActionOverview action={action} />;
    case "call":
      return <ActionCallGuide action={action} />;
    case "try":
      return <ActionTryOut action={action} />;
    case "schema":
      return <ActionSchema action={action} />;
    case "releases":
      return <ActionReleases action={action} />;
    case "runs":
      return <ActionRuns slug={action.slug} />;
  }
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
