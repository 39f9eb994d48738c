"use client";

import { useCallback, useMemo, useSyncExternalStore } from "react";
import { RUN_LIST_COLUMNS } from "#lib/contract/run/run-list";

export type RunListColumn = (typeof RUN_LIST_COLUMNS)[number];

export const DENSITIES = ["comfortable", "compact"] as const;
export const TIMES = ["relative", "local", "utc"] as const;

export interface ListSettings {
  columns: readonly RunListColumn[];
  density: (typeof DENSITIES)[number];
  /** How the list shows moments. */
  times: (typeof TIMES)[number];
}

export const DEFAULT_SETTINGS: ListSettings = {
  columns: ["run", "source", "release", "duration", "created"],
  density: "comfortable",
  times: "relative",
};

const STORAGE_KEY = "signalbox.run-list";
const listeners = new Set<() => void>();
/** For a browser that refuses storage: the settings last as long as the page. */
let unstored: string | null = null;

/** Returns how this browser shows the list of runs; the server does not know, and renders the defaults. */
export function useListSettings(): [ListSettings, (changes: Partial<ListSettings>) => void] {
  const stored = useSyncExternalStore(subscribe, readStored, () => null);
  const settings = useMemo(() => parseSettings(stored), [stored]);
  const change = useCallback((changes: Partial<ListSettings>) => {
    const next = JSON.stringify({ ...parseSettings(readStored()), ...changes });
    unstored = next;
    try {
      localStorage.setItem(STORAGE_KEY, next);
    } catch {
      // Kept above until the page is left.
    }
    for (const listener of listeners) listener();
  }, []);
  return [settings, change];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function readStored(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return unstored;
  }
}

/** Another release may have stored other words; what is not known is left out. */
function parseSettings(text: string | null): ListSettings {
  if (text === null) return DEFAULT_SETTINGS;
  let stored: Partial<Record<keyof ListSettings, unknown>>;
  try {
    stored = { ...JSON.parse(text) };
  } catch {
    return DEFAULT_SETTINGS;
  }
  const { columns } = stored;
  return {
    columns: Array.isArray(columns)
      ? RUN_LIST_COLUMNS.filter((column) => columns.includes(column))
      : DEFAULT_SETTINGS.columns,
    density: DENSITIES.find((density) => density === stored.density) ?? DEFAULT_SETTINGS.density,
    times: TIMES.find((times) => times === stored.times) ?? DEFAULT_SETTINGS.times,
  };
}
