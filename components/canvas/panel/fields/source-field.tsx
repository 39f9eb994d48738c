"use client";

import type { KeyboardEvent, ReactNode } from "react";
import type { Path } from "@/components/canvas/document/edit-data";
import { printLiteral } from "@/components/canvas/expressions/literal-values";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { useTypedText } from "@/components/canvas/panel/fields/use-typed-text";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Field } from "@/components/ui/forms/field";
import { Textarea } from "@/components/ui/forms/textarea";

interface SourceFieldProps {
  path: Path;
  label: string;
  rows: number;
  placeholder?: string;
  /** What the text means. By default it is the value itself. */
  parse?: (text: string) => unknown;
  /** Shown below the field. */
  children?: ReactNode;
}

const keepText = (text: string): unknown => text;

/** Edits program text: several lines, without expressions in braces. */
export function SourceField({ path, label, rows, placeholder, parse = keepText, children }: SourceFieldProps) {
  const field = useNodeField(path);
  const { text, change, leave } = useTypedText(field, printLiteral, parse);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  return (
    <div className="flex flex-col gap-1">
      <Field label={label} error={field.error}>
        {({ required: _required, ...control }) => (
          <Textarea
            {...control}
            data-field={field.name}
            value={text}
            rows={rows}
            placeholder={placeholder}
            disabled={isReadOnly}
            isMono
            wrap="off"
            autoComplete="off"
            spellCheck={false}
            className="[tab-size:2]"
            onChange={(event) => change(event.target.value)}
            onKeyDown={keepIndentation}
            onBlur={leave}
          />
        )}
      </Field>
      {children}
    </div>
  );
}

/** A new line gets the indentation of the line before. Tab moves to the next field, as everywhere else. */
function keepIndentation(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { value, selectionStart } = event.currentTarget;
  if (event.key !== "Enter" || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
  const line = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
  const deeper = /[{([]\s*$/.test(line) ? "  " : "";
  const indentation = (/^[ \t]*/.exec(line)?.[0] ?? "") + deeper;
  // The only way to insert text that the browser's own undo can revert.
  if (indentation !== "" && document.execCommand("insertText", false, `\n${indentation}`)) event.preventDefault();
}
