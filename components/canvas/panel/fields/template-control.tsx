"use client";

import { clsx } from "clsx";
import * as Popover from "radix-ui/popover";
import { type ChangeEvent, type KeyboardEvent, useRef } from "react";
import type { DataSource } from "@/components/canvas/document/earlier-data";
import { CompletionList } from "@/components/canvas/panel/fields/completion-list";
import { TemplateArea } from "@/components/canvas/panel/fields/template-area";
import { useCompletion } from "@/components/canvas/panel/fields/use-completion";
import { useReplaceText, useTakeInserts } from "@/components/canvas/panel/fields/use-text-edits";

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
  /** The minimum number of lines; with 1, Enter does nothing in the field. */
  rows?: number;
  isDisabled?: boolean;
}

/** Edits text with expressions: draws chips behind the text, completes after `{{`, and accepts dropped values. */
export function TemplateControl(props: TemplateControlProps) {
  const { id, isInvalid = false, isDisabled = false, fieldName, broken, placeholder } = props;
  const { area, rows, completion, handlers } = useTemplateText(props);
  const { listId, isOpen, active } = completion;
  return (
    <Popover.Root open={isOpen} onOpenChange={(open) => (open ? undefined : completion.close())}>
      <Popover.Anchor asChild>
        <div
          className={clsx(
            "grid min-h-control rounded-2 border focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent",
            isInvalid ? "border-err" : "border-border-strong",
            isDisabled ? "bg-sunken" : "bg-surface",
          )}
        >
          <TemplateArea
            {...{ id, rows, fieldName, broken, isInvalid, placeholder, ...handlers }}
            ref={area}
            value={props.value}
            aria-label={props.label}
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={isOpen ? `${listId}-${active}` : undefined}
            aria-describedby={props.describedBy}
            disabled={isDisabled}
          />
        </div>
      </Popover.Anchor>
      <CompletionList
        id={listId}
        completions={completion.completions}
        active={active}
        onPoint={completion.point}
        onChoose={completion.choose}
      />
    </Popover.Root>
  );
}

/** Returns the handlers for typing, keys and inserted values. */
function useTemplateText({ value, onChange, onEnter, onLeave, sources, rows = 1 }: TemplateControlProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const replaceText = useReplaceText(area, value, onChange);
  const completion = useCompletion({ area, sources, onComplete: replace });
  function replace(start: number, end: number, text: string) {
    replaceText(start, end, text);
    completion.close();
    area.current?.focus();
  }
  const takeInserts = useTakeInserts((expression) => {
    const { selectionStart = value.length, selectionEnd = value.length } = area.current ?? {};
    replace(selectionStart, selectionEnd, expression);
  });
  const handlers = {
    onChange: ({ target }: ChangeEvent<HTMLTextAreaElement>) => {
      onChange(rows === 1 ? target.value.replace(/\s*\n\s*/g, " ") : target.value);
      completion.look();
    },
    onSelect: completion.look,
    onKeyDown: (event: KeyboardEvent) => {
      if (completion.isOpen) completion.onKeyDown(event);
      else if (event.key === "Enter" && rows === 1) event.preventDefault();
    },
    onFocus: () => {
      takeInserts();
      onEnter?.();
    },
    onBlur: () => {
      completion.close();
      onLeave?.();
    },
  };
  return { area, rows, completion, handlers };
}
