"use client";

import type { WebOperations } from "#lib/api/operations/web-operations";
import { RUN_SOURCES, RUN_STATUSES } from "#lib/contract/run";
import { choiceCodec, choicesCodec, optionalTextCodec, type UrlCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

export const RANGES = ["any", "1h", "24h", "7d", "30d", "custom"] as const;
export type Range = (typeof RANGES)[number];

export const RANGE_LABELS: Record<Range, string> = {
  any: "Any time",
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  custom: "Between…",
};

const RANGE_MS: Record<Exclude<Range, "any" | "custom">, number> = {
  "1h": 3_600_000,
  "24h": 86_400_000,
  "7d": 604_800_000,
  "30d": 2_592_000_000,
};

/** An invalid date is dropped: the server would refuse the whole list. */
const momentCodec: UrlCodec<string | null> = {
  read: (text) => (text === null || Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString()),
  write: (value) => value,
};
const versionCodec: UrlCodec<number | null> = {
  read: (text) => (text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null),
  write: (value) => (value === null ? null : String(value)),
};
const uuidCodec: UrlCodec<string | null> = {
  read: (text) => (text !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : null),
  write: (value) => value,
};

const CODECS = {
  status: choicesCodec(RUN_STATUSES),
  source: choicesCodec(RUN_SOURCES),
  action: optionalTextCodec,
  workflow: uuidCodec,
  version: versionCodec,
  key: uuidCodec,
  correlation: optionalTextCodec,
  error: optionalTextCodec,
  range: choiceCodec(RANGES, "any"),
  after: momentCodec,
  before: momentCodec,
};

/** The filters of the runs list, kept in the URL. */
export function useRunFilters() {
  return useUrlState(CODECS);
}
export type RunListFilters = ReturnType<typeof useRunFilters>[0];

export function isRunListFiltered(filters: RunListFilters): boolean {
  const { status, source, range, after: _after, before: _before, ...texts } = filters;
  return (
    status.length > 0 || source.length > 0 || range !== "any" || Object.values(texts).some((text) => text !== null)
  );
}

/** The filters in the second row, which is open while one of them is set. */
export function hasMoreFilters({ version, key, error, range }: RunListFilters): boolean {
  return version !== null || key !== null || error !== null || range === "custom";
}

/**
 * Returns the filters as the operation's input. The start of a range is truncated to the minute, so that the response
 * can be cached.
 */
export function toListInput(filters: RunListFilters, nowMs: number): WebOperations["list_runs"]["input"] {
  const { status, source, action, workflow, version, key, correlation, error } = filters;
  return {
    ...(status.length > 0 ? { status: status.join(",") } : {}),
    ...(source.length > 0 ? { source: source.join(",") } : {}),
    ...(action === null ? {} : { action_slug: action }),
    ...(workflow === null ? {} : { workflow_id: workflow }),
    // A version number alone is ambiguous: every workflow has a version 1.
    ...(version === null || (action === null && workflow === null) ? {} : { version }),
    ...(key === null ? {} : { api_key_id: key }),
    ...(correlation === null ? {} : { correlation_id: correlation }),
    ...(error === null ? {} : { error_text: error.slice(0, 200) }),
    ...timesOf(filters, nowMs),
  };
}

function timesOf({ range, after, before }: RunListFilters, nowMs: number) {
  if (range === "any") return {};
  if (range !== "custom") {
    return { created_after: new Date(Math.floor((nowMs - RANGE_MS[range]) / 60_000) * 60_000).toISOString() };
  }
  return {
    ...(after === null ? {} : { created_after: after }),
    ...(before === null ? {} : { created_before: before }),
  };
}
