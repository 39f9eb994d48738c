"use client";

import { clsx } from "clsx";
import * as Popover from "radix-ui/popover";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { DataField, DataSource } from "@/components/canvas/document/earlier-data";
import { openExpressionAt, templateParts } from "@/components/canvas/expressions/template-parts";
import { CompletionList, filterCompletions } from "@/components/canvas/panel/fields/completion-list";
import { type InsertTarget, useInsertTarget } from "@/components/canvas/panel/fields/panel-context";

const TEXT_LOOK =
  "col-start-1 row-start-1 px-2.5 py-[6px] font-mono text-dense [overflow-wrap:anywhere] whitespace-pre-wrap";

interface TemplateControlProps {
  id: string;
  label?: string;
  describedBy?: string | undefined;
  isInvalid?: boolean;
  fieldName: string;
  value: string;
  onChange: (text: string) => void;
  onEnter?: () => void;
  onLeave?: () => void;
  sources: readonly DataSource[];
  /** Expressions to mark as broken, as written. */
  broken: ReadonlySet<string>;
  placeholder?: string;
  /** Lines shown at least; 1 is a field in which Enter does nothing. */
  rows?: number;
  isDisabled?: boolean;
}

/** A text with expressions: chips drawn behind the text, completion after `{{`, a drop target for values. */
export function TemplateControl(props: TemplateControlProps) {
  const { id, value, onChange, sources, broken, rows = 1, isInvalid = false, isDisabled = false } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const nextCaret = useRef<number | null>(null);
  const listId = useId();
  const [typing, setTyping] = useState<{ start: number; typed: string } | null>(null);
  const [active, setActive] = useState(0);
  const completions = typing === null ? [] : filterCompletions(sources, typing.typed);
  const isOpen = completions.length > 0;

  // React writes the value before this runs, which puts the caret at the end.
  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    area.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  });

  function replace(start: number, end: number, text: string) {
    nextCaret.current = start + text.length;
    // What stands in the field now, drawn or not.
    const now = area.current?.value ?? value;
    onChange(now.slice(0, start) + text + now.slice(end));
    setTyping(null);
    area.current?.focus();
  }
  function insert(expression: string) {
    const { selectionStart, selectionEnd } = area.current ?? {
      selectionStart: value.length,
      selectionEnd: value.length,
    };
    replace(selectionStart, selectionEnd, expression);
  }
  const takeInserts = useTakeInserts(insert);
  function complete(field: DataField | undefined) {
    const caret = area.current?.selectionStart ?? value.length;
    if (field === undefined || typing === null) return;
    const closing = /^\s*\}\}/.exec(value.slice(caret))?.[0].length ?? 0;
    replace(typing.start, caret + closing, field.expression);
  }
  function look() {
    const element = area.current;
    if (element === null) return;
    const next =
      element.selectionStart === element.selectionEnd ? openExpressionAt(element.value, element.selectionStart) : null;
    if (next?.typed !== typing?.typed) setActive(0);
    setTyping(next);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen) {
      if (event.key === "Enter" && rows === 1) event.preventDefault();
      return;
    }
    const distance = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (distance !== undefined) setActive((active + distance + completions.length) % completions.length);
    else if (event.key === "Enter" || event.key === "Tab") complete(completions[active]?.field);
    else if (event.key === "Escape") setTyping(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <Popover.Root open={isOpen} onOpenChange={(open) => (open ? undefined : setTyping(null))}>
      <Popover.Anchor asChild>
        <div
          className={clsx(
            "grid min-h-control rounded-2 border focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent",
            isInvalid ? "border-err" : "border-border-strong",
            isDisabled ? "bg-sunken" : "bg-surface",
          )}
        >
          <ChipLayer text={value} broken={broken} rows={rows} />
          <textarea
            ref={area}
            id={id}
            data-field={props.fieldName}
            aria-label={props.label}
            aria-autocomplete="list"
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={isOpen ? `${listId}-${active}` : undefined}
            aria-describedby={props.describedBy}
            aria-invalid={isInvalid || undefined}
            rows={rows}
            spellCheck={false}
            autoComplete="off"
            placeholder={props.placeholder}
            disabled={isDisabled}
            value={value}
            onChange={(event) => {
              onChange(rows === 1 ? event.target.value.replace(/\s*\n\s*/g, " ") : event.target.value);
              look();
            }}
            onSelect={look}
            onKeyDown={onKeyDown}
            onFocus={() => {
              takeInserts();
              props.onEnter?.();
            }}
            onBlur={() => {
              setTyping(null);
              props.onLeave?.();
            }}
            className={clsx(
              TEXT_LOOK,
              "resize-none overflow-hidden bg-transparent text-transparent caret-text selection:text-on-accent focus-visible:outline-none",
            )}
          />
        </div>
      </Popover.Anchor>
      <CompletionList id={listId} completions={completions} active={active} onPoint={setActive} onChoose={complete} />
    </Popover.Root>
  );
}

/**
 * Makes a field the one that values go into: from its focus until another has it, or until it is gone.
 * @param insert as of now: the step may be renamed and rows before this one removed while it is the target
 */
function useTakeInserts(insert: (expression: string) => void): () => void {
  const insertTarget = useInsertTarget();
  const latest = useRef(insert);
  const [own] = useState<InsertTarget>(() => ({ insert: (expression) => latest.current(expression) }));
  useLayoutEffect(() => {
    latest.current = insert;
  });
  useEffect(
    () => () => {
      if (insertTarget.current === own) insertTarget.current = null;
    },
    [insertTarget, own],
  );
  return () => {
    insertTarget.current = own;
  };
}

/** The same text once more, behind the transparent one, with its expressions as chips. It also gives the field its height. */
function ChipLayer({ text, broken, rows }: { text: string; broken: ReadonlySet<string>; rows: number }) {
  return (
    <div aria-hidden className={clsx(TEXT_LOOK, "pointer-events-none")} style={{ minHeight: rows * 18 + 12 }}>
      {templateParts(text).map((part) =>
        part.kind === "text" ? (
          <span key={part.start}>{part.text}</span>
        ) : (
          <mark
            key={part.start}
            className={clsx(
              "rounded-1 box-decoration-clone",
              broken.has(part.text) ? "bg-err-bg text-err" : "bg-accent-weak text-accent",
            )}
          >
            {part.text}
          </mark>
        ),
      )}
      {/* A trailing line break takes no room by itself. */}
      {"\u200b"}
    </div>
  );
}
