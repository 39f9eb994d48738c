import { OPEN_RUN_STATUSES, type RunStatus } from "#lib/contract/run/run";
import type { UsageStatus } from "#lib/contract/run/run-usage";

export interface UsageSpan {
  from: string;
  to: string;
}

interface UsageFilter {
  statuses?: readonly UsageStatus[];
  workflow?: string;
  key?: string;
  error?: string;
  /** Instants; if omitted, the last thirty days. */
  span?: UsageSpan | undefined;
}

/** Returns a link to the list of the runs that were counted. */
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
