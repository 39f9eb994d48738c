"use client";

import { useEffect, useState } from "react";
import { type CommandSearch, loadPageSearches, type PaletteCommand } from "@/components/shell/command-sources";

const NONE: readonly CommandSearch[] = [];

/** Finds commands with the open page's own searches, once they are loaded. */
export function useSearchedCommands(query: string): PaletteCommand[] {
  const [searches, setSearches] = useState(NONE);
  useEffect(() => {
    let isOpen = true;
    void loadPageSearches().then((loaded) => {
      if (isOpen) setSearches(loaded);
    });
    return () => {
      isOpen = false;
    };
  }, []);
  return searches.flatMap((search) => [...search(query)]);
}
