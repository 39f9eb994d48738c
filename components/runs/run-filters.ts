"use client";

import { RUN_SOURCES, RUN_STATUSES } from "#lib/contract/run";
import type { WebOperations } from "#lib/contract/web";
import { choiceCodec, choicesCodec, optionalTextCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

export const RANGES = ["any", "1h", "24h", "7d", "30d"] as const;
export type Range = (typeof RANGES)[number];

export const RANGE_LABELS: Record<Range, string> = {
  any: "Any time",
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};

const RANGE_MS: Record<Exclude<Range, "any">, number> = {
  "1h": 3_600_000,
  "24h": 86_400_000,
  "7d": 604_800_000,
  "30d": 2_592_000_000,
};

const CODECS = {
  status: choicesCodec(RUN_STATUSES),
  source: choicesCodec(RUN_SOURCES),
  action: optionalTextCodec,
  correlation: optionalTextCodec,
  range: choiceCodec(RANGES, "any"),
};

/** The filters of the runs list, kept in the URL. */
export function useRunFilters() {
  return useUrlState(CODECS);
}
export type RunFilters = ReturnType<typeof useRunFilters>[0];

export function isFiltered(filters: RunFilters): boolean {
  const { status, source, action, correlation, range } = filters;
  return status.length > 0 || source.length > 0 || action !== null || correlation !== null || range !== "any";
}

/** The filters as the operation takes them. The moment a range begins is cut to the minute, so that it can be cached. */
export function toListInput(filters: RunFilters, nowMs: number): WebOperations["list_runs"]["input"] {
  const { status, source, action, correlation, range } = filters;
  return {
    ...(status.length > 0 ? { status: status.join(",") } : {}),
    ...(source.length > 0 ? { source: source.join(",") } : {}),
    ...(action === null ? {} : { action_slug: action }),
    ...(correlation === null ? {} : { correlation_id: correlation }),
    ...(range === "any"
      ? {}
      : { created_after: new Date(Math.floor((nowMs - RANGE_MS[range]) / 60_000) * 60_000).toISOString() }),
  };
}
