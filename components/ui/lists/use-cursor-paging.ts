"use client";

import { useCallback, useState } from "react";
import { optionalTextCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const CODECS = { cursor: optionalTextCodec };

export interface CursorPaging {
  /** Null on the first page. */
  cursor: string | null;
  isFirst: boolean;
  /** True if Previous can only lead to the first page, because a link opened this one. */
  isPreviousFirst: boolean;
  next: (cursor: string) => void;
  previous: () => void;
  reset: () => void;
}

/**
 * Keeps the page of a list in the URL as `cursor`. Cursors only lead forward, so this hook remembers the earlier ones;
 * after a reload, Previous leads to the first page.
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
