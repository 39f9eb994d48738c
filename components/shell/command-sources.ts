"use client";

import { useEffect, useRef } from "react";

/** Something the palette can do or lead to. */
export interface PaletteCommand {
  id: string;
  label: string;
  /** The heading it stands under. */
  group: string;
  /** Words people search for beside the label. */
  keywords?: string;
  /** Right of the label: a key, a state. */
  hint?: string;
  run: () => void;
}

const sources = new Set<() => readonly PaletteCommand[]>();

/** Offers commands while the calling page stands. They are asked for when the palette opens. */
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

/** What the open page offers. */
export function listPageCommands(): PaletteCommand[] {
  return [...sources].flatMap((source) => source());
}
