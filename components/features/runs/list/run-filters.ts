"use client";

import type { WebOperations } from "#lib/api/operations/web-operations";
import { RUN_SOURCES, RUN_STATUSES } from "#lib/contract/run/run";
import type { SavedViewSettings } from "#lib/contract/run/run-list";
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
  custom: "Custom range",
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
  /** Runs with the same error, by the group that the server found. */
  group: uuidCodec,
  range: choiceCodec(RANGES, "any"),
  after: momentCodec,
  before: momentCodec,
  view: choiceCodec(["runs", "errors"], "runs"),
  order: choiceCodec(["desc", "asc"], "desc"),
};

/** The filters of the runs list, kept in the URL. */
export function useRunFilters() {
  return useUrlState(CODECS);
}
export type RunListFilters = ReturnType<typeof useRunFilters>[0];

export function isRunListFiltered(filters: RunListFilters): boolean {
  const { status, source, range, after: _after, before: _before, view: _view, order: _order, ...texts } = filters;
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
 * @param fixedWorkflow the workflow whose runs the page lists, whatever its address says
 */
export function toListInput(
  filters: RunListFilters,
  nowMs: number,
  fixedWorkflow?: string,
): WebOperations["list_runs"]["input"] {
  const { status, source, action, version, key, correlation, error, group, order } = filters;
  const workflow = fixedWorkflow ?? filters.workflow;
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
    ...(group === null ? {} : { error_group: group }),
    ...(order === "desc" ? {} : { order }),
    ...timesOf(filters, nowMs),
  };
}

/** Returns the filters that groups of errors follow: those that say which errors, apart from the errors themselves. */
export function toGroupsInput(
  filters: RunListFilters,
  nowMs: number,
  fixedWorkflow?: string,
): WebOperations["list_error_groups"]["input"] {
  return toListInput({ ...filters, ...NO_ERROR_FILTERS, order: "desc" }, nowMs, fixedWorkflow);
}

/** The filters that groups of errors do not follow. */
export const NO_ERROR_FILTERS = { version: null, error: null, group: null } as const;

/** Returns the filters as the address has them, for a saved view. The order is a setting of its own. */
export function writeFilters(filters: RunListFilters): SavedViewSettings["filters"] {
  const { order: _order, ...codecs } = CODECS;
  const entries = Object.entries(codecs).map(([name, codec]) => {
    return [name, (codec as UrlCodec<unknown>).write(filters[name as keyof typeof codecs])] as const;
  });
  return Object.fromEntries(entries.filter(([, text]) => text !== null));
}

/** Reads all filters of a saved view; those that it leaves out are not set. */
export function readFilters({ filters, order }: SavedViewSettings): RunListFilters {
  const texts: Readonly<Record<string, string | undefined>> = { ...filters, order };
  const entries = Object.entries(CODECS).map(([name, codec]) => [name, codec.read(texts[name] ?? null)]);
  return Object.fromEntries(entries) as RunListFilters;
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
