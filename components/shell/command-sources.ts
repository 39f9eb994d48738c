"use client";

import { useEffect, useRef } from "react";

/** A command of the palette. */
export interface PaletteCommand {
  id: string;
  label: string;
  /** The heading that lists it. */
  group: string;
  /** Search words in addition to the label. */
  keywords?: string;
  /** To the right of the label: a key or a status. */
  hint?: string;
  /** True if its source found it by the query: the palette neither filters nor sorts it. */
  isMatch?: true;
  run: () => void;
}

/** Finds commands by rules of its own, the best first. */
export type CommandSearch = (query: string) => readonly PaletteCommand[];

interface CommandSource {
  list: () => readonly PaletteCommand[];
  loadSearch?: (() => Promise<CommandSearch>) | undefined;
}

const sources = new Set<() => CommandSource>();

/**
 * Offers commands while the calling page is mounted. The palette reads them when it opens.
 * @param loadSearch for commands that are too many to list, or whose code loads with the palette
 */
export function useCommandSource(list: CommandSource["list"], loadSearch?: CommandSource["loadSearch"]): void {
  const latest = useRef<CommandSource>({ list, loadSearch });
  useEffect(() => {
    latest.current = { list, loadSearch };
  });
  useEffect(() => {
    const source = () => latest.current;
    sources.add(source);
    return () => void sources.delete(source);
  }, []);
}

/** Returns the commands of the open page. */
export function listPageCommands(): PaletteCommand[] {
  return [...sources].flatMap((source) => [...source().list()]);
}

/** Loads the searches of the open page. One that can't be loaded is left out. */
export async function loadPageSearches(): Promise<CommandSearch[]> {
  const loads = [...sources].flatMap((source) => source().loadSearch ?? []);
  const loaded = await Promise.allSettled(loads.map((load) => load()));
  return loaded.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
}
