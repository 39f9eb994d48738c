"use client";

import { clsx } from "clsx";
import { lazy, type ReactNode, Suspense, useId } from "react";
import type { CodeEditorProps } from "@/components/ui/code/code-editor";

/** About 120 kB, loaded only if a user opens a field of code. */
const CodeEditor = lazy(() => import("@/components/ui/code/code-editor").then((m) => ({ default: m.CodeEditor })));

type Shared = Pick<
  CodeEditorProps,
  | "language"
  | "value"
  | "fieldName"
  | "inputValues"
  | "placeholderText"
  | "rows"
  | "isReadOnly"
  | "shown"
  | "onChange"
  | "onLeave"
>;

interface CodeFieldProps extends Shared {
  label: ReactNode;
  description?: ReactNode;
  /** To the right of the label. */
  hint?: ReactNode;
  error?: string | null;
}

/** A labeled field for code. The editor is fetched when the field is first shown. */
export function CodeField({ label, description, hint, error = null, ...editor }: CodeFieldProps) {
  const id = useId();
  const describedBy = [description === undefined ? null : `${id}-description`, error === null ? null : `${id}-error`]
    .filter((part) => part !== null)
    .join(" ");
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex items-baseline justify-between gap-3">
        <span id={`${id}-label`} className="font-medium">
          {label}
        </span>
        {hint === undefined ? null : <span className="text-dense text-text-3">{hint}</span>}
      </div>
      {description === undefined ? null : (
        <p id={`${id}-description`} className="text-dense text-text-3">
          {description}
        </p>
      )}
      <div
        className={clsx(
          "min-w-0 overflow-hidden rounded-2 border focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent",
          error === null ? "border-border-strong" : "border-err",
          editor.isReadOnly ? "bg-sunken" : "bg-surface",
        )}
      >
        <Suspense fallback={<div style={{ minHeight: editor.rows * 18 + 14 }} />}>
          <CodeEditor
            {...editor}
            labelledBy={`${id}-label`}
            describedBy={describedBy === "" ? undefined : describedBy}
            isInvalid={error !== null}
          />
        </Suspense>
      </div>
      {error === null ? null : (
        <p id={`${id}-error`} className="text-dense text-err">
          {error}
        </p>
      )}
    </div>
  );
}
