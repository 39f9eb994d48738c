"use client";

import { useCallback, useState } from "react";
import { optionalTextCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const CODECS = { cursor: optionalTextCodec };

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
  const [{ cursor }, setUrl] = useUrlState(CODECS);
  const [visited, setVisited] = useState<readonly (string | null)[]>([]);
  const reset = useCallback(() => {
    setVisited([]);
    setUrl(null);
  }, [setUrl]);
  function turnTo(page: string | null) {
    setUrl({ cursor: page }, "push");
    window.scrollTo(0, 0);
  }
  return {
    cursor,
    isFirst: cursor === null,
    isPreviousFirst: cursor !== null && visited.length === 0,
    next: (nextCursor) => {
      setVisited([...visited, cursor]);
      turnTo(nextCursor);
    },
    previous: () => {
      turnTo(visited.at(-1) ?? null);
      setVisited(visited.slice(0, -1));
    },
    reset,
  };
}
