import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";

/** A value that the code gets as `input.<name>`. */
export interface InputValue {
  name: string;
  /** Its last value as JSON, or its source. */
  detail: string;
}

const WORD = /[\w$]*$/;
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** The globals in addition to the language itself; there is no network, no import and no timer. */
const GLOBALS: readonly Completion[] = [
  ["URL", "class"],
  ["URLSearchParams", "class"],
  ["TextEncoder", "class"],
  ["TextDecoder", "class"],
  ["structuredClone", "function"],
  ["crypto", "variable"],
  ["atob", "function"],
  ["btoa", "function"],
  ["JSON", "namespace"],
  ["Math", "namespace"],
  ["Object", "class"],
  ["Array", "class"],
  ["Map", "class"],
  ["Set", "class"],
  ["Date", "class"],
].map(([label = "", type = ""]) => ({ label, type, boost: -1 }));

const KEYWORDS: readonly Completion[] =
  "async await const let return if else for of while function export default throw new typeof null true false undefined"
    .split(" ")
    .map((label) => ({ label, type: "keyword", boost: -2 }));

/**
 * Completes at the caret: the values of `input` after its dot, otherwise names. Nothing is known about other objects.
 */
export function completeCode(context: CompletionContext, values: readonly InputValue[]): CompletionResult | null {
  const member = context.matchBefore(/\binput\??\.[\w$]*$/);
  if (member !== null) {
    const options = values
      .filter(({ name }) => IDENTIFIER.test(name))
      .map(({ name, detail }): Completion => ({ label: name, type: "property", detail }));
    return { from: member.from + member.text.lastIndexOf(".") + 1, options, validFor: WORD };
  }
  const word = context.matchBefore(/[\w$.]+$/);
  if (word === null || word.text.includes(".") || (word.from === word.to && !context.explicit)) return null;
  const input: Completion = { label: "input", type: "variable", detail: "what the step gets", boost: 2 };
  return { from: word.from, options: [input, ...GLOBALS, ...KEYWORDS], validFor: WORD };
}
