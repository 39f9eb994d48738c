import { type KeyboardEvent, type RefObject, useId, useState } from "react";
import type { DataField, DataSource } from "@/components/canvas/document/earlier-data";
import { openExpressionAt } from "@/components/canvas/expressions/template-parts";
import { type Completion, filterCompletions } from "@/components/canvas/panel/fields/completion-list";

interface CompletionInput {
  area: RefObject<HTMLTextAreaElement | null>;
  sources: readonly DataSource[];
  /** Replaces a part of the text with the chosen expression. */
  onComplete: (start: number, end: number, expression: string) => void;
}

interface CompletionState {
  listId: string;
  isOpen: boolean;
  completions: readonly Completion[];
  active: number;
  point: (index: number) => void;
  choose: (field: DataField | undefined) => void;
  /** Opens or closes the list, depending on the text at the caret. */
  look: () => void;
  close: () => void;
  /** Handles keys while the list is open. */
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Offers values for the expression that is being typed at the caret. */
export function useCompletion({ area, sources, onComplete }: CompletionInput): CompletionState {
  const listId = useId();
  const [typing, setTyping] = useState<{ start: number; typed: string } | null>(null);
  const [active, setActive] = useState(0);
  const completions = typing === null ? [] : filterCompletions(sources, typing.typed);
  function choose(field: DataField | undefined) {
    const element = area.current;
    if (field === undefined || typing === null || element === null) return;
    const caret = element.selectionStart;
    const closing = /^\s*\}\}/.exec(element.value.slice(caret))?.[0].length ?? 0;
    onComplete(typing.start, caret + closing, field.expression);
  }
  function look() {
    const element = area.current;
    if (element === null) return;
    const isCaret = element.selectionStart === element.selectionEnd;
    const next = isCaret ? openExpressionAt(element.value, element.selectionStart) : null;
    if (next?.typed !== typing?.typed) setActive(0);
    setTyping(next);
  }
  function onKeyDown(event: KeyboardEvent) {
    const distance = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (distance !== undefined) setActive((active + distance + completions.length) % completions.length);
    else if (event.key === "Enter" || event.key === "Tab") choose(completions[active]?.field);
    else if (event.key === "Escape") setTyping(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  const isOpen = completions.length > 0;
  const close = () => setTyping(null);
  return { listId, isOpen, completions, active, point: setActive, choose, look, close, onKeyDown };
}
