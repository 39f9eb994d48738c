"use client";

import { clsx } from "clsx";
import { useMemo } from "react";
import { formatCount } from "#lib/support/format/format-number";
import type { DataSource } from "@/components/canvas/document/earlier-data";
import { loopsAround } from "@/components/canvas/document/frames";
import { suggestReference } from "@/components/canvas/expressions/suggest-reference";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { previewOf } from "@/components/canvas/samples/known-values";
import { useAnalysis, useKnown } from "@/components/canvas/store/draft-context";

interface FieldMessageProps {
  id: string;
  error: string | null;
  warning: string | null;
  /** Why the text is not complete yet, while the user types. */
  hint: string | null;
  /** The value whose preview is shown when there is nothing else to say. */
  template: unknown;
  /** True for a text that is a URL. */
  isUrl: boolean;
  /** Expressions of the text that can't be resolved. */
  broken: ReadonlySet<string>;
  sources: readonly DataSource[];
  /** Null if the field can't be changed. */
  onFix: ((from: string, to: string) => void) | null;
}

/**
 * The lines under an expression field. A field with an expression keeps the height of one line, because its preview comes and
 * goes as tests run. Other fields have no line without a message.
 */
export function FieldMessage({ id, error, warning, hint, template, isUrl, broken, sources, onFix }: FieldMessageProps) {
  return (
    <div className={clsx("text-dense", hasExpression(template) ? "min-h-[18px]" : "empty:hidden")}>
      {error !== null ? (
        <p id={id} className="text-err [overflow-wrap:anywhere]">
          {error}
        </p>
      ) : hint !== null ? (
        <p className="truncate text-text-2" title={hint}>
          {hint}
        </p>
      ) : (
        <ResolvedPreview template={template} isUrl={isUrl} />
      )}
      {warning === null ? null : (
        <p id={id} className="text-warn">
          {warning}
        </p>
      )}
      {broken.size === 0 || onFix === null ? null : <Fixes broken={broken} sources={sources} onFix={onFix} />}
    </div>
  );
}

function hasExpression(template: unknown): boolean {
  return typeof template === "string" && template.includes("{{");
}

export function describeBroken(broken: ReadonlySet<string>): string {
  const [first] = broken;
  return broken.size === 1
    ? `${first} can't be resolved.`
    : `${formatCount(broken.size, "reference")} can't be resolved.`;
}

interface FixesProps {
  broken: ReadonlySet<string>;
  sources: readonly DataSource[];
  onFix: (from: string, to: string) => void;
}

/** Offers for each broken reference the value it most likely means, and a button to remove it. */
function Fixes({ broken, sources, onFix }: FixesProps) {
  const known = sources.flatMap((source) => source.fields.map((field) => field.expression));
  return (
    <ul className="flex flex-col gap-1">
      {[...broken].map((expression) => {
        const suggestion = suggestReference(expression, known);
        return (
          <li key={expression} className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
            {suggestion === null ? null : (
              <button type="button" className="link text-left" onClick={() => onFix(expression, suggestion)}>
                Use <span className="font-mono">{suggestion.slice(2, -2)}</span>
              </button>
            )}
            <button type="button" className="link" onClick={() => onFix(expression, "")}>
              Remove <span className="font-mono">{expression.slice(2, -2).trim()}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Shows under a field the value that its expressions have with the last outputs. */
function ResolvedPreview({ template, isUrl }: { template: unknown; isUrl: boolean }) {
  const { node } = usePanel();
  const analysis = useAnalysis();
  const known = useKnown();
  const preview = useMemo(() => {
    const loops = [node.id, ...loopsAround(analysis.index.definition, node.id)];
    return previewOf(template, analysis, known, loops, { isUrl });
  }, [template, analysis, known, node.id, isUrl]);
  if (preview === null) return null;
  if (preview.kind === "unknown") {
    return <p className="truncate text-dense text-text-3">Run {preview.labels.join(", ")} to see a value.</p>;
  }
  if (preview.kind === "refused") {
    return <p className="text-dense text-warn [overflow-wrap:anywhere]">With the last values, {preview.text}</p>;
  }
  return (
    <p className="truncate font-mono text-dense text-text-3" title={preview.text}>
      <span className="sr-only">With the last values: </span>
      <span aria-hidden>= </span>
      {preview.text}
    </p>
  );
}
