import { clsx } from "clsx";
import { type RefObject, useLayoutEffect } from "react";
import { flushSync } from "react-dom";
import { chipParts, chipTitle } from "@/components/canvas/expressions/editor/chip-facts";
import type { ExpressionText } from "@/components/canvas/expressions/editor/expression-text";
import { findExpressions } from "@/components/canvas/expressions/editor/find-expressions";

const PLACE = "col-start-1 row-start-1 px-2.5 py-1.5 font-mono text-dense";

/** Inserts a reference at the caret, and focuses the field. */
export type Inserter = (expression: string) => void;

/** The selection of a plain field, and what the user does in it. */
export interface PlainPlace {
  anchor: number;
  head: number;
  hasFocus: boolean;
  /** True if its text was typed in, at least in part. */
  isTyped: boolean;
}

interface PlainExpressionProps extends ExpressionText {
  area: RefObject<HTMLTextAreaElement | null>;
  /** Set to what inserts a reference at the caret. */
  inserter: RefObject<Inserter>;
  onFocus: () => void;
}

/**
 * Shown in place of the editor until it is loaded. It has the size of the editor, with the chips drawn; while the user types,
 * it shows the text itself.
 */
export function PlainExpression({ area, inserter, rows = 1, ...props }: PlainExpressionProps) {
  useLayoutEffect(() => {
    inserter.current = (expression) => {
      if (area.current === null) return;
      const { selectionStart, selectionEnd, value } = area.current;
      const text = value.slice(0, selectionStart) + expression + value.slice(selectionEnd);
      // React moves the caret to the end when it writes the value.
      flushSync(() => props.onChange(text));
      const caret = selectionStart + expression.length;
      area.current.setSelectionRange(caret, caret);
      area.current.focus();
    };
  });
  return (
    <div className="group grid">
      <div
        aria-hidden
        className={clsx(
          PLACE,
          "expression-text pointer-events-none [overflow-wrap:anywhere] whitespace-break-spaces group-focus-within:invisible",
        )}
        style={{ minHeight: rows * 18 + 12 }}
      >
        <DrawnText {...props} />
      </div>
      <textarea
        ref={area}
        id={props.id}
        aria-label={props.label}
        aria-labelledby={props.labelledBy}
        aria-describedby={props.describedBy}
        aria-invalid={props.isInvalid || undefined}
        data-field={props.fieldName}
        value={props.value}
        placeholder={props.placeholder}
        disabled={props.isReadOnly}
        rows={rows}
        spellCheck={false}
        autoComplete="off"
        className={clsx(
          PLACE,
          "h-full resize-none bg-transparent text-transparent focus:text-text focus-visible:outline-none",
        )}
        onChange={({ target }) => {
          target.dataset.typed = "";
          props.onChange(rows === 1 ? target.value.replace(/\s*\n\s*/g, " ") : target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && rows === 1 && !event.ctrlKey && !event.metaKey) event.preventDefault();
        }}
        onCompositionStart={({ currentTarget }) => {
          currentTarget.dataset.composing = "";
        }}
        onCompositionEnd={({ currentTarget }) => {
          delete currentTarget.dataset.composing;
        }}
        onFocus={() => {
          props.onFocus();
          props.onEnter?.();
        }}
        onBlur={props.onLeave}
      />
    </div>
  );
}

function DrawnText({ value, describe }: Pick<ExpressionText, "value" | "describe">) {
  const found = findExpressions(value).filter(({ isReference }) => isReference);
  const starts = [0, ...found.map(({ to }) => to)];
  return (
    <>
      {starts.map((start, at) => {
        const chip = found[at];
        return (
          <span key={start}>
            {value.slice(start, chip?.from)}
            {chip === undefined ? null : <DrawnChip source={chip.source} facts={describe(chip.source)} />}
          </span>
        );
      })}
      {/* A trailing line break has no height by itself. */}
      {"\u200b"}
    </>
  );
}

function DrawnChip({ source, facts }: { source: string; facts: Parameters<typeof chipParts>[0] }) {
  return (
    <span className="expression-chip" title={chipTitle(source, facts)} data-broken={facts.isBroken ? "" : undefined}>
      {chipParts(facts).map(([className, text]) => (
        <span key={className} className={className}>
          {text}
        </span>
      ))}
    </span>
  );
}
