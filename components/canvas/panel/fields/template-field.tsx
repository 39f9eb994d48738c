"use client";

import { type ReactNode, useId, useMemo } from "react";
import type { PropertyType } from "#lib/contract/wire/json-schema";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { parseTemplate } from "#lib/core/expressions/parse-template";
import { describeTypeMisfit } from "#lib/core/graph/checks/warn-types";
import { ADDRESS_FIELD } from "#lib/core/graph/edges";
import { shapesOf } from "#lib/core/graph/node-shapes";
import type { DataSource } from "@/components/canvas/document/earlier-data";
import type { Path } from "@/components/canvas/document/edit-data";
import { ExpressionInput } from "@/components/canvas/expressions/editor/expression-input";
import { printLiteral } from "@/components/canvas/expressions/literal-values";
import { describeBroken, FieldMessage } from "@/components/canvas/panel/fields/field-message";
import { type NodeField, useEarlierData, useNodeField, usePanel } from "@/components/canvas/panel/fields/panel-context";
import { useReferenceFacts } from "@/components/canvas/panel/fields/use-reference-facts";
import { useTypedText } from "@/components/canvas/panel/fields/use-typed-text";
import { useAnalysis, useEditor, useEditorStore } from "@/components/canvas/store/draft-context";

interface TemplateFieldProps {
  path: Path;
  /** Shown above the field, or only read to screen readers when `isLabelHidden` is set. */
  label: string;
  isLabelHidden?: boolean;
  hint?: ReactNode;
  /** Shown below the label. */
  description?: ReactNode;
  placeholder?: string;
  /** The minimum number of lines; with 1, the text has no line breaks. */
  rows?: number;
  /** Also includes problems below the path. */
  isDeep?: boolean;
  /** The expected type, if the definition doesn't define it, as for a param of an operation. */
  expects?: PropertyType;
  /** True for a text that is a URL, in which each value is written for its place. */
  isUrl?: boolean;
  /** Values that its expressions can use, if different from the data of earlier steps. */
  sources?: readonly DataSource[];
  /** Prints and parses the value, if the field stores more than text. */
  print?: (value: unknown) => string;
  parse?: (text: string) => unknown;
  /** Stores the value, if it is not only at the path. */
  onSet?: (value: unknown) => void;
  /** Shown below the field, after its error. */
  children?: ReactNode;
}

/** A field that accepts expressions, with its preview or problem below it. */
export function TemplateField(props: TemplateFieldProps) {
  const { path, label, isLabelHidden = false, hint, print = printLiteral, parse = (text: string) => text } = props;
  const id = useId();
  const own = useNodeField(path, { isDeep: props.isDeep ?? false });
  const field = props.onSet === undefined ? own : { ...own, set: props.onSet };
  const sources = useNearestFirst(props.sources);
  const typing = useTyping(field.name);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const warning = useWarning(field, props.expects);
  const { text, change, leave } = useTypedText(field, print, parse);
  const broken = useBroken(field.problems, text);
  const facts = useReferenceFacts(text, sources, broken);
  // A broken reference is shown even if the user has not visited the field, because another change caused it.
  const error = typing.isTyping ? null : (field.error ?? (broken.size > 0 ? describeBroken(broken) : null));
  const message = error ?? (typing.isTyping ? null : warning);
  const isDescribed = props.description !== undefined;
  const described = [isDescribed ? `${id}-description` : null, message === null ? null : `${id}-message`];
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {isLabelHidden ? null : <FieldLabel fieldId={id} label={label} hint={hint} />}
      {isDescribed ? (
        <p id={`${id}-description`} className="text-dense text-text-3">
          {props.description}
        </p>
      ) : null}
      <ExpressionInput
        {...facts}
        id={id}
        {...(isLabelHidden ? { label } : { labelledBy: `${id}-label` })}
        fieldName={field.name}
        describedBy={described.filter((part) => part !== null).join(" ") || undefined}
        isInvalid={error !== null}
        isReadOnly={isReadOnly}
        value={text}
        onChange={change}
        onEnter={typing.start}
        onLeave={() => {
          typing.end();
          leave();
        }}
        onUndo={typing.undo}
        onRedo={typing.redo}
        sources={sources}
        placeholder={props.placeholder}
        {...(props.rows === undefined ? {} : { rows: props.rows })}
      />
      <FieldMessage
        id={`${id}-message`}
        error={error}
        warning={error === null ? message : null}
        hint={typing.isTyping ? whyInvalid(text) : null}
        template={field.value}
        isUrl={props.isUrl ?? false}
        broken={error === null ? NOTHING : broken}
        sources={sources}
        onFix={isReadOnly ? null : (from, to) => change(text.replaceAll(from, to))}
      />
      {props.children}
    </div>
  );
}

const NOTHING: ReadonlySet<string> = new Set();

function FieldLabel({ fieldId, label, hint }: { fieldId: string; label: string; hint: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      {/* A label focuses only form controls by itself; the editor is none. */}
      <label
        id={`${fieldId}-label`}
        htmlFor={fieldId}
        className="font-medium"
        onPointerUp={() => document.getElementById(fieldId)?.focus()}
      >
        {label}
      </label>
      {hint === undefined ? null : <span className="text-dense text-text-3">{hint}</span>}
    </div>
  );
}

interface Typing {
  /** Half-written content is not a mistake yet. */
  isTyping: boolean;
  start: () => void;
  end: () => void;
  undo: () => void;
  redo: () => void;
}

/** Marks the field as the one that the user types in, and continues its undo on the canvas. */
function useTyping(name: string): Typing {
  const editor = useEditorStore();
  const { node } = usePanel();
  const isHere = (place: { nodeId: string; field: string } | null) =>
    place !== null && place.nodeId === node.id && place.field === name;
  const isTyping = useEditor((state) => isHere(state.typingIn));
  /** The panel is drawn again for what has changed; if that is this step, the field keeps the focus. */
  function travel(step: () => void) {
    step();
    const { selectedNodeIds, open } = editor.getState();
    if (selectedNodeIds.length === 1 && selectedNodeIds[0] === node.id) open(node.id, name);
  }
  return {
    isTyping,
    start: () => editor.getState().typeIn({ nodeId: node.id, field: name }),
    end: () => {
      // Another field can have the focus by now.
      if (isHere(editor.getState().typingIn)) editor.getState().typeIn(null);
    },
    undo: () => travel(editor.getState().undo),
    redo: () => travel(editor.getState().redo),
  };
}

/** Returns the sources with the nearest step first, and those that run later last. */
function useNearestFirst(given: readonly DataSource[] | undefined): readonly DataSource[] {
  const earlier = useEarlierData();
  const { steps } = useAnalysis();
  const { node } = usePanel();
  const sources = given ?? earlier;
  const own = steps.get(node.id) ?? 0;
  return useMemo(() => nearestFirst(sources, own), [sources, own]);
}

/** Of a step that runs later, only its address can be used. */
function nearestFirst(sources: readonly DataSource[], own: number): DataSource[] {
  const isLater = ({ step, fields }: DataSource) => step > own && fields.every(({ label }) => label === ADDRESS_FIELD);
  const [later, near] = [sources.filter(isLater), sources.filter((source) => !isLater(source))];
  return [...near.sort((a, b) => Math.abs(own - a.step) - Math.abs(own - b.step)), ...later];
}

/** Returns the expressions that problems name. */
function useBroken(problems: readonly GraphProblem[], text: string): ReadonlySet<string> {
  return useMemo(() => {
    const messages = problems.filter(({ code }) => code !== "INVALID_DATA").map(({ message }) => message);
    const expressions = parseTemplate(text).parts.flatMap((part) => (typeof part === "string" ? [] : [part.source]));
    return new Set(expressions.filter((source) => messages.some((sentence) => sentence.includes(source))));
  }, [problems, text]);
}

/** Returns why the first invalid expression is invalid. */
function whyInvalid(text: string): string | null {
  const [first] = parseTemplate(text).errors;
  return first === undefined ? null : `${first.source}: ${first.message}`;
}

function useWarning(field: NodeField, expects: PropertyType | undefined): string | null {
  const { index } = useAnalysis();
  const misfit = expects === undefined ? null : describeTypeMisfit(shapesOf(index), field.value, expects);
  return misfit === null ? field.warning : misfit.charAt(0).toUpperCase() + misfit.slice(1);
}
