import { OPEN_RUN_STATUSES, type RunStatus } from "#lib/contract/run";
import type { UsageStatus } from "#lib/contract/web/run-usage";

export interface UsageSpan {
  from: string;
  to: string;
}

interface UsageFilter {
  statuses?: readonly UsageStatus[];
  workflow?: string;
  key?: string;
  error?: string;
  /** Moments; left out, the last thirty days. */
  span?: UsageSpan | undefined;
}

/** Where the runs that were counted are listed. */
export function runsHref({ statuses = [], workflow, key, error, span }: UsageFilter): string {
  const status = statuses
    .flatMap((one): readonly RunStatus[] => (one === "open" ? OPEN_RUN_STATUSES : [one]))
    .join(",");
  const search = new URLSearchParams({
    ...(status === "" ? {} : { status }),
    ...(workflow === undefined ? {} : { workflow }),
    ...(key === undefined ? {} : { key }),
    ...(error === undefined ? {} : { error }),
    ...(span === undefined ? { range: "30d" } : { range: "custom", after: span.from, before: span.to }),
  });
  return `/runs?${search}`;
}
