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
  run: () => void;
}

const sources = new Set<() => readonly PaletteCommand[]>();

/** Offers commands while the calling page is mounted. The palette reads them when it opens. */
export function useCommandSource(list: () => readonly PaletteCommand[]): void {
  const latest = useRef(list);
  useEffect(() => {
    latest.current = list;
  });
  useEffect(() => {
    const source = () => latest.current();
    sources.add(source);
    return () => void sources.delete(source);
  }, []);
}

/** Returns the commands of the open page. */
export function listPageCommands(): PaletteCommand[] {
  return [...sources].flatMap((source) => source());
}
