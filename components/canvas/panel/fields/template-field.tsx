"use client";

import { type ReactNode, useId, useMemo } from "react";
import type { PropertyType } from "#lib/contract/json-schema";
import type { GraphProblem } from "#lib/contract/workflow";
import { describeTypeMisfit } from "#lib/core/graph/checks/warn-types";
import { shapesOf } from "#lib/core/graph/node-shapes";
import { formatCount } from "#lib/support/format/format-number";
import type { DataSource } from "@/components/canvas/document/earlier-data";
import type { Path } from "@/components/canvas/document/edit-data";
import { printLiteral } from "@/components/canvas/expressions/literal-values";
import { suggestReference } from "@/components/canvas/expressions/suggest-reference";
import { templateParts } from "@/components/canvas/expressions/template-parts";
import { type NodeField, useEarlierData, useNodeField, usePanel } from "@/components/canvas/panel/fields/panel-context";
import { ResolvedPreview } from "@/components/canvas/panel/fields/resolved-preview";
import { TemplateControl } from "@/components/canvas/panel/fields/template-control";
import { useTypedText } from "@/components/canvas/panel/fields/use-typed-text";
import { useAnalysis, useEditor, useEditorStore } from "@/components/canvas/store/draft-context";

const NOTHING: ReadonlySet<string> = new Set();

interface TemplateFieldProps {
  path: Path;
  /** Shown above the field, or only read to screen readers when `isLabelHidden` is set. */
  label: string;
  isLabelHidden?: boolean;
  hint?: ReactNode;
  placeholder?: string;
  rows?: number;
  /** Also includes problems below the path. */
  isDeep?: boolean;
  /** The expected type, if the definition doesn't define it, as for a param of an operation. */
  expects?: PropertyType;
  /** Values that its expressions can use, if different from the data of earlier steps. */
  sources?: readonly DataSource[];
  /** Prints and parses the value, if the field stores more than text. */
  print?: (value: unknown) => string;
  parse?: (text: string) => unknown;
  /** Shown below the field, after its error. */
  children?: ReactNode;
}

/**
 * A field that accepts expressions: shows its chips, completion and error, and suggests fixes for a broken reference.
 */
export function TemplateField(props: TemplateFieldProps) {
  const { path, label, isLabelHidden = false, hint, print = printLiteral, parse = (text: string) => text } = props;
  const id = useId();
  const field = useNodeField(path, { isDeep: props.isDeep ?? false });
  const earlier = useEarlierData();
  const sources = props.sources ?? earlier;
  const editor = useEditorStore();
  const { node } = usePanel();
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const isTyping = useEditor((state) => state.typingIn?.nodeId === node.id && state.typingIn.field === field.name);
  const warning = useWarning(field, props.expects);
  const { text, change, leave } = useTypedText(field, print, parse);
  const broken = useBroken(field.problems, text, isTyping);
  const hasBroken = broken.size > 0;
  // A broken reference is shown even if the user has not visited the field, because another change caused it.
  const error = isTyping ? null : (field.error ?? (hasBroken ? describeBroken(broken) : null));
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {isLabelHidden ? null : <FieldLabel fieldId={id} label={label} hint={hint} />}
      <TemplateControl
        id={id}
        {...(isLabelHidden ? { label } : {})}
        fieldName={field.name}
        describedBy={error !== null ? `${id}-error` : warning === null ? undefined : `${id}-warning`}
        isInvalid={error !== null}
        value={text}
        onChange={change}
        onEnter={() => editor.getState().typeIn({ nodeId: node.id, field: field.name })}
        onLeave={() => {
          editor.getState().typeIn(null);
          leave();
        }}
        sources={sources}
        broken={broken}
        isDisabled={isReadOnly}
        {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
        {...(props.rows === undefined ? {} : { rows: props.rows })}
      />
      {error === null ? null : (
        <p id={`${id}-error`} className="text-dense text-err">
          {error}
        </p>
      )}
      {hasBroken && !isReadOnly ? (
        <BrokenReferences broken={broken} sources={sources} onFix={(from, to) => change(text.replaceAll(from, to))} />
      ) : null}
      {error === null && warning !== null ? (
        <p id={`${id}-warning`} className="text-dense text-warn">
          {warning}
        </p>
      ) : null}
      {error === null ? <ResolvedPreview template={field.value} /> : null}
      {props.children}
    </div>
  );
}

function FieldLabel({ fieldId, label, hint }: { fieldId: string; label: string; hint: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <label htmlFor={fieldId} className="font-medium">
        {label}
      </label>
      {hint === undefined ? null : <span className="text-dense text-text-3">{hint}</span>}
    </div>
  );
}

/**
 * Returns the expressions that problems name; none while the user types, because half an expression isn't a mistake
 * yet.
 */
function useBroken(problems: readonly GraphProblem[], text: string, isTyping: boolean): ReadonlySet<string> {
  return useMemo(() => {
    if (isTyping) return NOTHING;
    const messages = problems.filter(({ code }) => code !== "INVALID_DATA").map(({ message }) => message);
    const expressions = templateParts(text).filter((part) => part.kind === "expression");
    return new Set(expressions.map((part) => part.text).filter((part) => messages.some((told) => told.includes(part))));
  }, [problems, text, isTyping]);
}

/** Returns no warning while the user types, because half an expression has no type yet. */
function useWarning(field: NodeField, expects: PropertyType | undefined): string | null {
  const { index } = useAnalysis();
  const misfit = expects === undefined ? null : describeTypeMisfit(shapesOf(index), field.value, expects);
  return misfit === null ? field.warning : misfit.charAt(0).toUpperCase() + misfit.slice(1);
}

function describeBroken(broken: ReadonlySet<string>): string {
  const [first] = broken;
  return broken.size === 1
    ? `${first} can't be resolved.`
    : `${formatCount(broken.size, "reference")} can't be resolved.`;
}

interface BrokenReferencesProps {
  broken: ReadonlySet<string>;
  sources: readonly DataSource[];
  onFix: (from: string, to: string) => void;
}

/** Offers for each broken reference the value it most likely means, and a button to remove it. */
function BrokenReferences({ broken, sources, onFix }: BrokenReferencesProps) {
  const known = sources.flatMap((source) => source.fields.map((field) => field.expression));
  return (
    <ul className="flex flex-col gap-1">
      {[...broken].map((expression) => {
        const suggestion = suggestReference(expression, known);
        return (
          <li key={expression} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-dense">
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
