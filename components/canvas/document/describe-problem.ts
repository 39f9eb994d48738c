import type { GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { nodeLabel } from "#lib/core/steps/node-data";
import { chipLabel } from "@/components/canvas/expressions/template-parts";

/** The word of the forms for each setting that is a list, singular, and for each whose name is more than one word. */
const PART_WORDS: Record<string, string> = {
  properties: "field",
  fields: "field",
  rules: "rule",
  cases: "case",
  enum: "choice",
  options: "option",
  aliases: "old name",
  methods: "method",
  wait_seconds: "seconds to wait",
  submit_label: "text of the button",
  workflow_ids: "workflow",
  delivery_id: "duplicate deliveries value",
  tolerance_seconds: "maximum age",
  expires_seconds: "expires after",
  action_slug: "action",
  connection_id: "connection",
  output_schema: "output schema",
  max_tokens: "max tokens",
};
const HIDDEN_WORDS = new Set(["params"]);

/** Returns a field's path in words: rules.0.left becomes "rule 1 left", params.url becomes "url". */
export function fieldWords(field: string): string {
  const parts = field.split(".").filter((part) => !HIDDEN_WORDS.has(part));
  return parts.map((part) => PART_WORDS[part] ?? (/^[0-9]+$/.test(part) ? String(Number(part) + 1) : part)).join(" ");
}

/**
 * Returns a problem's message with the field in words and without the node's name, for places that already show the
 * name. Sentences about the whole workflow, such as those of the contract, stay unchanged.
 */
export function describeProblem(problem: GraphProblem, node: GraphNode): string {
  const text = dropPrefix(problem.message, `${nodeLabel(node)}: `);
  const field = problem.field;
  // The key is the mistake, so it stays as it is written.
  if (problem.code === "UNKNOWN_KEY") return text;
  return capitalize(field === undefined || field === "" ? text : text.replace(field, fieldWords(field)));
}

const SHORT_WORDS: Record<string, string> = {
  UNKNOWN_INPUT_FIELD: "isn't declared",
  UNKNOWN_FIELD: "doesn't exist",
  UNKNOWN_REFERENCE: "doesn't exist",
  REFERENCE_NOT_UPSTREAM: "doesn't run before this step",
  INVALID_EXPRESSION: "isn't a valid expression",
};

/**
 * Returns a short description for the foot of a card, which fits about forty characters: which value is wrong, and why.
 */
export function describeProblemShortly(problem: GraphProblem, node: GraphNode): string {
  const words = SHORT_WORDS[problem.code];
  const text = dropPrefix(problem.message, `${nodeLabel(node)}: `);
  const source = /^\{\{[^}]*\}\}|^\{\{\S*/.exec(text)?.[0];
  return words === undefined || source === undefined ? describeProblem(problem, node) : `${chipLabel(source)} ${words}`;
}

/** Returns the message for display under the field itself: "Is required" instead of "Field 1 name is required". */
export function describeFieldProblem(problem: GraphProblem, node: GraphNode): string {
  const field = problem.field ?? "";
  const text = dropPrefix(problem.message, `${nodeLabel(node)}: `);
  if (problem.code === "UNKNOWN_KEY") return text;
  return capitalize(dropPrefix(text.replace(` in ${field} `, " "), `${field} `));
}

function dropPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
