"use client";

import { useState } from "react";
import { useShortcuts } from "@/components/shell/shortcuts";

export interface RunChoice {
  ids: ReadonlySet<string>;
  choose: (runId: string, isChosen: boolean) => void;
  set: (runIds: readonly string[]) => void;
}

/** Rows of a page that were chosen; another page, or the same with other filters, begins without any. */
export function useRunChoice(pageKey: string): RunChoice {
  const [chosen, setChosen] = useState<{ pageKey: string; ids: ReadonlySet<string> }>({ pageKey, ids: NONE });
  const ids = chosen.pageKey === pageKey ? chosen.ids : NONE;
  return {
    ids,
    choose: (runId, isChosen) => {
      const next = new Set(ids);
      if (isChosen) next.add(runId);
      else next.delete(runId);
      setChosen({ pageKey, ids: next });
    },
    set: (runIds) => setChosen({ pageKey, ids: new Set(runIds) }),
  };
}

const NONE: ReadonlySet<string> = new Set();

/** Arrows go from row to row, where Enter opens and X chooses. The first arrow leads into the table. */
export function useRowShortcuts(choice: RunChoice | undefined): void {
  useShortcuts({
    arrowdown: () => focusRow(1),
    arrowup: () => focusRow(-1),
    ...(choice === undefined ? {} : { x: () => toggle(choice) }),
  });
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("a[data-run]")];
}

/** @returns false where the key is somebody else's */
function focusRow(step: number): boolean {
  const all: (Element | null)[] = rows();
  const from = all.indexOf(document.activeElement);
  if (from === -1 && !isPageItself(document.activeElement)) return false;
  const target = all[from === -1 ? 0 : from + step];
  if (!(target instanceof HTMLElement)) return from !== -1;
  target.focus();
  target.scrollIntoView({ block: "nearest" });
  return true;
}

function toggle(choice: RunChoice): boolean {
  const row = document.activeElement;
  const runId = row instanceof HTMLElement ? row.dataset.run : undefined;
  if (runId === undefined) return false;
  choice.choose(runId, !choice.ids.has(runId));
  return true;
}

/** True for the body, and for the page's content, which has the focus after a dialog whose button is gone. */
function isPageItself(element: Element | null): boolean {
  return element === document.body || element?.id === "content";
}
