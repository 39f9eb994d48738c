"use client";

import { clsx } from "clsx";
import type { UsageObject } from "#lib/contract/workspace/workspace";
import { formatMonth } from "#lib/support/format/format-moment";
import { formatBytes, formatNumber } from "#lib/support/format/format-number";
import { useOperation } from "@/components/api/operation-hooks";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { QueryView } from "@/components/ui/lists/query-view";
import { Section } from "@/components/ui/lists/section";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";

/** Shows the plan, its limits as this instance applies them, and the current usage. */
export function UsageSection() {
  const query = useOperation("get_usage", {});
  return (
    <Section title="Plan and usage">
      <QueryView query={query} skeleton={<UsageSkeleton />} errorTitle="Couldn't load the usage.">
        {(usage) => <Usage usage={usage} />}
      </QueryView>
    </Section>
  );
}

function Usage({ usage }: { usage: UsageObject }) {
  const { plan, month, runs, own_runs: ownRuns, keys, members, requests_per_window: requests } = usage;
  const { definition_bytes: stored } = usage;
  return (
    <div className="flex flex-col gap-5">
      <p className="flex flex-wrap items-center gap-2">
        <Badge>{`${plan.charAt(0).toUpperCase()}${plan.slice(1)} plan`}</Badge>
        <span className="text-text-2">
          The operator of this instance sets the plan. See the last 30 days on{" "}
          <Link href="/usage" className="link">
            Usage
          </Link>
          .
        </span>
      </p>
      <Meter
        label={`Runs in ${formatMonth(month)}`}
        note="Counted per calendar month in UTC. Tests count, dry runs don't."
        {...runs}
      />
      <Meter
        label="Your runs in the last hour"
        note="In all workspaces, by you and by keys that you created."
        {...ownRuns}
      />
      <Meter label="Active API keys" note="Revoked and expired keys don't count." {...keys} />
      <Meter
        label="Stored workflows"
        note="Drafts and all published versions. A deleted workflow counts for at least 30 days, and until its runs are deleted."
        format={formatBytes}
        {...stored}
      />
      <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-2">
        <dt>Requests per key in 60 seconds</dt>
        <dd className="text-right">{requests === null ? "No limit" : `Up to ${formatNumber(requests)}`}</dd>
        <dt>Members</dt>
        <dd className="text-right">{formatNumber(members)}, no limit</dd>
      </dl>
    </div>
  );
}

interface MeterProps {
  label: string;
  note: string;
  used: number;
  limit: number | null;
  format?: (value: number) => string;
}

/** Shows a usage value as text and as a bar; without a limit there is no bar. */
function Meter({ label, note, used, limit, format = (value) => formatNumber(value) }: MeterProps) {
  const share = limit === null ? 0 : Math.min(1, used / limit);
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{label}</span>
        <span className={clsx("shrink-0", share >= 1 && "font-medium text-err")}>
          {limit === null ? `${format(used)}, no limit` : `${format(used)} of ${format(limit)}`}
        </span>
      </p>
      {limit === null ? null : (
        <div aria-hidden className="h-2 overflow-hidden rounded-full border border-border bg-sunken">
          <div
            className={clsx("h-full", share >= 1 ? "bg-err" : share >= 0.8 ? "bg-warn" : "bg-text-2")}
            style={{ width: `${share * 100}%` }}
          />
        </div>
      )}
      <p className="text-dense text-text-3">{note}</p>
    </div>
  );
}

function UsageSkeleton() {
  return (
    <div className="flex flex-col gap-5">
      <LoadingLabel>Loading usage</LoadingLabel>
      {["runs", "own", "keys"].map((meter) => (
        <div key={meter} className="flex flex-col gap-2">
          <Skeleton className="h-3.5 w-40" />
          <Skeleton className="h-2 w-full" />
        </div>
      ))}
    </div>
  );
}
