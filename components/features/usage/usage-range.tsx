"use client";

import { useSyncExternalStore } from "react";
import { USAGE_DAYS } from "#lib/contract/run/run-usage";
import { wallTimeAt } from "#lib/core/schedules/wall-time";
import { ownTimeZone } from "@/components/api/shown-workspace";
import { useSession } from "@/components/shell/session-context";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { Toolbar } from "@/components/ui/lists/toolbar";
import { choiceCodec, optionalTextCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const RANGES = ["30d", "14d", "7d", "custom"] as const;
const RANGE_WORDS: Record<(typeof RANGES)[number], string> = {
  "30d": "Last 30 days",
  "14d": "Last 14 days",
  "7d": "Last 7 days",
  custom: "Custom range",
};
const ZONES = ["workspace", "own", "utc"] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;
const subscribeToNothing = () => () => undefined;

const CODECS = {
  range: choiceCodec(RANGES, "30d"),
  from: optionalTextCodec,
  to: optionalTextCodec,
  zone: choiceCodec(ZONES, "workspace"),
};

/** The range of days in the URL. */
export function useUsageRange() {
  const [url, setUrl] = useUrlState(CODECS);
  const { workspace } = useSession();
  // The server does not know the viewer's time zone.
  const own = useSyncExternalStore(subscribeToNothing, ownTimeZone, () => null);
  const zones = { workspace: workspace.time_zone, own: own ?? workspace.time_zone, utc: "UTC" };
  const timeZone = zones[url.zone];
  const dayAgo = (days: number) => dayOf(Date.now() - days * DAY_MS, timeZone);
  const bounds = { first: dayAgo(USAGE_DAYS - 1), last: dayAgo(0) };
  const from = url.range === "custom" ? dayIn(url.from) : dayAgo(Number.parseInt(url.range, 10) - 1);
  const to = url.range === "custom" ? dayIn(url.to) : null;
  const input = {
    ...(url.range === "30d" || from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
    ...(url.zone === "workspace" ? {} : { time_zone: timeZone }),
  };
  return { url, setUrl, zones, bounds, input };
}
type UsageRange = ReturnType<typeof useUsageRange>;

/** Selects the days, and the time zone that they start in. */
export function UsageRangeBar({ url, setUrl, zones, bounds }: UsageRange) {
  const day = (name: "from" | "to", label: string) => (
    <Input
      type="date"
      aria-label={label}
      className="w-auto! max-sm:grow"
      min={bounds.first}
      max={bounds.last}
      value={url[name] ?? (name === "from" ? bounds.first : bounds.last)}
      onChange={({ target }) => setUrl({ [name]: target.value })}
    />
  );
  return (
    <Toolbar>
      <Select
        aria-label="Days"
        value={url.range}
        onChange={({ target }) => setUrl({ range: target.value as typeof url.range, from: null, to: null })}
      >
        {RANGES.map((range) => (
          <option key={range} value={range}>
            {RANGE_WORDS[range]}
          </option>
        ))}
      </Select>
      {url.range === "custom" ? (
        <>
          {day("from", "First day")}
          {day("to", "Last day")}
        </>
      ) : null}
      <Select
        aria-label="Time zone"
        value={url.zone}
        onChange={({ target }) => setUrl({ zone: target.value as typeof url.zone })}
      >
        <option value="workspace">{zones.workspace} (workspace)</option>
        {zones.own === zones.workspace ? null : <option value="own">{zones.own} (yours)</option>}
        {zones.workspace === "UTC" ? null : <option value="utc">UTC</option>}
      </Select>
    </Toolbar>
  );
}

/** Formats an instant as YYYY-MM-DD in a time zone. */
function dayOf(atMs: number, timeZone: string): string {
  return new Date(wallTimeAt(timeZone, atMs)).toISOString().slice(0, 10);
}

/** A URL can contain anything. */
function dayIn(text: string | null): string | null {
  return text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}
