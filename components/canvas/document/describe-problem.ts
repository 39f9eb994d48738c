import type { GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { nodeLabel } from "#lib/core/steps/node-data";
import { chipLabel } from "@/components/canvas/expressions/template-parts";

const PART_WORDS: Record<string, string> = {
  properties: "field",
  fields: "field",
  rules: "rule",
  cases: "case",
  enum: "choice",
  connection_id: "connection",
  output_schema: "answer's schema",
  max_tokens: "max tokens",
};
const HIDDEN_WORDS = new Set(["params"]);

/** A field's path in words: rules.0.left is "rule 1 left", params.url is "url". */
export function fieldWords(field: string): string {
  const parts = field.split(".").filter((part) => !HIDDEN_WORDS.has(part));
  return parts.map((part) => PART_WORDS[part] ?? (/^[0-9]+$/.test(part) ? String(Number(part) + 1) : part)).join(" ");
}

/**
 * A problem's message without the node's name, for places that show the name already, and with the field in words.
 * Sentences about the whole workflow, such as the contract's, stay as they are.
 */
export function describeProblem(problem: GraphProblem, node: GraphNode): string {
  const text = dropPrefix(problem.message, `${nodeLabel(node)}: `);
  const field = problem.field;
  return capitalize(field === undefined || field === "" ? text : text.replace(field, fieldWords(field)));
}

const SHORT_WORDS: Record<string, string> = {
  UNKNOWN_INPUT_FIELD: "is not an input field",
  UNKNOWN_REFERENCE: "names no step",
  REFERENCE_NOT_UPSTREAM: "does not run before",
  INVALID_EXPRESSION: "is not an expression",
};

/** For a card's foot, where some forty characters fit: what is wrong with which value. */
export function describeProblemShortly(problem: GraphProblem, node: GraphNode): string {
  const words = SHORT_WORDS[problem.code];
  const text = dropPrefix(problem.message, `${nodeLabel(node)}: `);
  const source = /^\{\{[^}]*\}\}|^\{\{\S*/.exec(text)?.[0];
  return words === undefined || source === undefined ? describeProblem(problem, node) : `${chipLabel(source)} ${words}`;
}

/** The message under the field itself: "Is required" rather than "Field 1 name is required". */
export function describeFieldProblem(problem: GraphProblem, node: GraphNode): string {
  const field = problem.field ?? "";
  const text = dropPrefix(problem.message, `${nodeLabel(node)}: `);
  return capitalize(dropPrefix(text.replace(` in ${field} `, " "), `${field} `));
}

function dropPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
