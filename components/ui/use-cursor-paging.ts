"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";

export interface CursorPaging {
  /** Null on the first page. */
  cursor: string | null;
  isFirst: boolean;
  /** True when going back can only mean the first page: the page was opened by a link into the middle. */
  isPreviousFirst: boolean;
  next: (cursor: string) => void;
  previous: () => void;
  reset: () => void;
}

/**
 * The page of a list, in the URL as `cursor`. Cursors only lead onwards, so the way back is remembered here; after a
 * reload it leads to the first page.
 */
export function useCursorPaging(): CursorPaging {
  const [cursor, setCursor] = useQueryState("cursor", parseAsString.withOptions({ history: "push", scroll: true }));
  const [visited, setVisited] = useState<readonly (string | null)[]>([]);
  return {
    cursor,
    isFirst: cursor === null,
    isPreviousFirst: cursor !== null && visited.length === 0,
    next: (nextCursor) => {
      setVisited([...visited, cursor]);
      void setCursor(nextCursor);
    },
    previous: () => {
      void setCursor(visited.at(-1) ?? null);
      setVisited(visited.slice(0, -1));
    },
    reset: () => {
      setVisited([]);
      void setCursor(null);
    },
  };
}
