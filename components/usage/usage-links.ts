import type { UsageStatus } from "#lib/contract/run-usage";

interface UsageFilter {
  statuses?: readonly UsageStatus[];
  workflow?: string;
  key?: string;
  error?: string;
  /** Both or neither: one day. */
  from?: string;
  to?: string;
}

const OPEN = ["accepted", "running", "waiting_for_approval"];

/** Where the runs that were counted are listed. Without a day: the thirty days. */
export function runsHref({ statuses = [], workflow, key, error, from, to }: UsageFilter): string {
  const status = statuses.flatMap((one) => (one === "open" ? OPEN : [one])).join(",");
  const search = new URLSearchParams({
    ...(status === "" ? {} : { status }),
    ...(workflow === undefined ? {} : { workflow }),
    ...(key === undefined ? {} : { key }),
    ...(error === undefined ? {} : { error }),
    ...(from === undefined || to === undefined ? { range: "30d" } : { range: "custom", after: from, before: to }),
  });
  return `/runs?${search}`;
}
