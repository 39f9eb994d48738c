"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "@/components/ui/button";
import type { CursorPaging } from "@/components/ui/lists/use-cursor-paging";

interface PagerProps {
  paging: CursorPaging;
  nextCursor: string | null | undefined;
  /** What the pages list, such as "runs": names the row of buttons. */
  noun: string;
}

/** Buttons for the previous and next page; renders nothing if everything fits on one page. */
export function Pager({ paging, nextCursor, noun }: PagerProps) {
  if (paging.isFirst && !nextCursor) return null;
  return (
    <nav aria-label={`Pages of ${noun}`} className="flex items-center justify-end gap-2 px-3 py-3 sm:px-4">
      <Button size="sm" disabled={paging.isFirst} onClick={paging.previous}>
        <ChevronLeft aria-hidden className="size-3.5" />
        {paging.isPreviousFirst ? "First page" : "Previous"}
      </Button>
      <Button size="sm" disabled={!nextCursor} onClick={() => (nextCursor ? paging.next(nextCursor) : undefined)}>
        Next
        <ChevronRight aria-hidden className="size-3.5" />
      </Button>
    </nav>
  );
}
