import { type Completion, type CompletionContext, type CompletionResult, ifNotIn } from "@codemirror/autocomplete";
import { localCompletionSource } from "@codemirror/lang-javascript";
import type { EditorView } from "@codemirror/view";
import { membersOf, type Shape } from "#lib/core/shapes/shape";
import { SANDBOX_GLOBALS, SANDBOX_SIGNATURES, VALUE_MEMBERS } from "#lib/core/steps/code/sandbox-globals";
import {
  type Script,
  type SyntaxNode,
  scriptText,
  shapeAt,
  treeOf,
} from "@/components/canvas/kinds/code/script/infer-shape";
import { fieldsIn } from "@/components/canvas/kinds/code/script/input-shape";
import { isIdentifier, typeText } from "@/components/canvas/kinds/code/script/type-text";

const WORD = /[\w$]*$/;
const NOT_HERE = ["String", "TemplateString", "LineComment", "BlockComment", "RegExp"];

const KEYWORDS: readonly Completion[] =
  "async await break case catch class const continue default do else export for function if in instanceof let new null of return switch throw true false try typeof while"
    .split(" ")
    .map((label) => ({ label, type: "keyword", boost: -2 }));

const GLOBALS: readonly Completion[] = Object.keys(SANDBOX_GLOBALS).map((label) => ({
  label,
  type: "variable",
  boost: -1,
  ...signatureOf(label),
}));

/** Completes at the caret: after a dot the members of the value before it, otherwise names. */
export function completeScript(context: CompletionContext, input: Shape): CompletionResult | null {
  const script = { state: context.state, input };
  const member = memberAt(script, context.pos);
  if (member !== null) {
    const options = [...optionsOf(script, member)];
    return options.length === 0 ? null : { from: fromOf(context), options, validFor: WORD };
  }
  return ifNotIn(NOT_HERE, completeNames)(context) as CompletionResult | null;
}

function fromOf(context: CompletionContext): number {
  return context.matchBefore(WORD)?.from ?? context.pos;
}

/** Returns the object before the dot in front of the caret. */
function memberAt({ state }: Script, pos: number): SyntaxNode | null {
  const node = treeOf(state, pos).resolveInner(pos, -1);
  const member = node.name === "MemberExpression" ? node : node.parent;
  if (member?.name !== "MemberExpression") return null;
  const dot = member.getChild(".") ?? member.getChild("?.");
  return dot !== null && dot.to <= pos ? member.firstChild : null;
}

function* optionsOf(script: Script, object: SyntaxNode): Generator<Completion> {
  const shape = shapeAt(script, object);
  for (const [name, field] of fieldsIn(shape)) {
    yield {
      label: name,
      type: "property",
      detail: `${field.isOptional ? "?" : ""}: ${typeText(field.shape, 1)}`,
      boost: 2,
      ...(field.description === "" ? {} : { info: field.description }),
      ...(isIdentifier(name) ? {} : { apply: insertQuoted }),
    };
  }
  for (const kind of ["string", "number", "array"] as const) {
    if (membersOf(shape).some((member) => isOf(member, kind))) yield* VALUE_MEMBERS[kind].map(methodOption);
  }
  const name = object.name === "VariableName" ? scriptText(script, object) : "";
  for (const label of Object.hasOwn(SANDBOX_GLOBALS, name) ? (SANDBOX_GLOBALS[name] ?? []) : []) {
    yield { label, type: "function", ...signatureOf(`${name}.${label}`) };
  }
}

function isOf(shape: Shape, kind: keyof typeof VALUE_MEMBERS): boolean {
  if (shape.kind !== "scalar") return shape.kind === kind;
  return kind === (shape.type === "integer" ? "number" : shape.type);
}

function methodOption(label: string): Completion {
  return { label, type: label === "length" ? "property" : "method", boost: -1 };
}

function signatureOf(name: string): { detail?: string } {
  const signature = SANDBOX_SIGNATURES[name];
  return signature === undefined ? {} : { detail: signature };
}

/** A name with a space needs brackets: `input.` becomes `input["two words"]`. */
function insertQuoted(view: EditorView, { label }: Completion, from: number, to: number): void {
  const isOptional = view.state.sliceDoc(from - 2, from) === "?.";
  const start = isOptional ? from : from - 1;
  const insert = `[${JSON.stringify(label)}]`;
  view.dispatch({ changes: { from: start, to, insert }, selection: { anchor: start + insert.length } });
}

function completeNames(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/[\w$]+$/);
  if (word === null && !context.explicit) return null;
  const local = localCompletionSource(context)?.options ?? [];
  const known = new Set(local.map(({ label }) => label));
  const input: Completion[] = known.has("input")
    ? []
    : [{ label: "input", type: "variable", detail: "what the step gets", boost: 2 }];
  const others = [...GLOBALS, ...KEYWORDS].filter(({ label }) => !known.has(label));
  return { from: word?.from ?? context.pos, options: [...input, ...local, ...others], validFor: WORD };
}
