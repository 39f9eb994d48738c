import type { ExpressionFunction } from "#lib/core/expressions/functions/expression-function";
import { EXPRESSION_FUNCTIONS, writeSignature } from "#lib/core/expressions/functions/expression-functions";
import type { CompletionPlace } from "@/components/canvas/expressions/editor/completion-place";

/** A step and its values, nearest first. */
export interface CompletionSource {
  /** The name of the step as people see it. */
  label: string;
  fields: readonly {
    /** With its braces. */
    expression: string;
    type: string;
    description: string;
    sample?: string;
  }[];
}

/** One choice of the list. */
export interface ListedChoice {
  kind: "field" | "function" | "operator";
  /** What is written: the path, the name of the function, or the operator. */
  text: string;
  /** What the list shows: the path, the signature, or the operator with its operands. */
  label: string;
  detail: string;
  /** The last value as shortened JSON. */
  sample: string | null;
  description: string;
}

const SHOWN_MAX = 40;

const FALLBACK: ListedChoice = {
  kind: "operator",
  text: "??",
  label: "value ?? fallback",
  detail: "operator",
  sample: null,
  description: "Returns the value, or the fallback if the value is null or does not exist.",
};

const FUNCTIONS: readonly ListedChoice[] = EXPRESSION_FUNCTIONS.map(describeFunction);

function describeFunction(one: ExpressionFunction): ListedChoice {
  const { expression, value } = one.example;
  return {
    kind: "function",
    text: one.name,
    label: writeSignature(one),
    detail: "function",
    sample: null,
    description: `${one.description}\n${expression} → ${JSON.stringify(value)}`,
  };
}

/**
 * Lists what can be written at a place: the values whose path or step contains what is typed, those that start with it
 * first, and then the functions. Without a typed letter the functions are only listed if the user asks.
 */
export function listCompletions(
  sources: readonly CompletionSource[],
  place: CompletionPlace,
  isAsked: boolean,
): ListedChoice[] {
  if (place.isAfterValue) return "??".startsWith(place.typed) ? [FALLBACK] : [];
  const wanted = place.typed.toLowerCase();
  if (wanted.startsWith("?")) return [];
  const fields = sources.flatMap((source) => source.fields.map((field) => describeField(source, field)));
  const matching = fields.filter(
    ({ text, detail }) => text.toLowerCase().includes(wanted) || detail.toLowerCase().includes(wanted),
  );
  const functions = wanted === "" && !isAsked ? [] : FUNCTIONS.filter(({ text }) => text.includes(wanted));
  const startsLate = ({ text }: ListedChoice) => Number(!text.toLowerCase().startsWith(wanted));
  return [...matching, ...functions].sort((a, b) => startsLate(a) - startsLate(b)).slice(0, SHOWN_MAX);
}

function describeField({ label }: CompletionSource, field: CompletionSource["fields"][number]): ListedChoice {
  const text = field.expression.slice(2, -2);
  return {
    kind: "field",
    text,
    label: text,
    detail: `${field.type} · ${label}`,
    sample: field.sample ?? null,
    description: field.description,
  };
}

/** The change that writes a choice, and where the caret is after it. */
interface WrittenChoice {
  from: number;
  to: number;
  insert: string;
  caret: number;
}

/** @param text the whole text, to see what follows the place */
export function writeChoice(choice: ListedChoice, place: CompletionPlace, text: string): WrittenChoice {
  const { expression, from, to } = place;
  if (choice.kind === "field" && place.isAlone) {
    const whole = expression ?? { from, to };
    const insert = `{{${choice.text}}}`;
    return { from: whole.from, to: whole.to, insert, caret: whole.from + insert.length };
  }
  const opening = expression === null ? "{{" : "";
  const closing = expression?.isClosed ? "" : "}}";
  if (choice.kind === "function") {
    const hasCall = text[to] === "(";
    const written = `${opening}${choice.text}${hasCall ? "" : "()"}`;
    const caret = from + opening.length + choice.text.length + 1;
    return { from, to, insert: hasCall ? written : written + closing, caret };
  }
  if (choice.kind === "operator") {
    const space = text[from - 1] === " " ? "" : " ";
    const insert = `${space}?? `;
    return { from, to, insert: insert + closing, caret: from + insert.length };
  }
  return { from, to, insert: choice.text, caret: from + choice.text.length };
}
