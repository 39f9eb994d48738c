"use client";

import { useState } from "react";
import { useShortcuts } from "@/components/shell/shortcuts";

export interface RunChoice {
  ids: ReadonlySet<string>;
  choose: (runId: string, isChosen: boolean) => void;
  set: (runIds: readonly string[]) => void;
}

/** Tracks the selected rows of a page; another page or other filters start with none. */
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

/** Arrow keys move between rows, Enter opens a row and X selects it. The first arrow key enters the table. */
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

/** @returns false if another control handles the key */
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

/** Returns true for the body, and for the page's content, which has the focus after a dialog whose button is gone. */
function isPageItself(element: Element | null): boolean {
  return element === document.body || element?.id === "content";
}
