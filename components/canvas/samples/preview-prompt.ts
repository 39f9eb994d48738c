import { StepError } from "#lib/contract/run/step-error";
import type { Expression } from "#lib/core/expressions/expression";
import { parseTemplate } from "#lib/core/expressions/parse-template";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { toText } from "#lib/core/expressions/to-text";
import { findNamedNode } from "#lib/core/graph/edges";
import { nodeLabel } from "#lib/core/steps/node-data";
import type { Analysis } from "@/components/canvas/document/analysis";
import { type Known, knownOutput } from "@/components/canvas/samples/known-values";

/**
 * A segment of a message: text as written, a value that a step last returned, or a missing value with the reason.
 * Values are shown as they would be sent, except that stored redactions stay redacted. `at` counts the segments of a
 * message.
 */
export type PromptPart = { at: number } & (
  | { kind: "text"; text: string }
  | { kind: "value"; source: string; text: string }
  | { kind: "missing"; source: string; reason: string }
);

export interface PromptMessage {
  role: "system" | "user";
  parts: PromptPart[];
}

export interface PreviewedPrompt {
  messages: PromptMessage[];
  /** An estimate for the known parts, because tokenizers differ between models. */
  tokens: number;
  missing: Extract<PromptPart, { kind: "missing" }>[];
}

/**
 * Returns the messages that an LLM step would send, with the known values.
 * @param data the step's data, as far as it is filled in
 * @param loops the loops around the step, whose items are known only while they run
 */
export function previewPrompt(
  data: Readonly<Record<string, unknown>>,
  analysis: Analysis,
  known: Known,
  loops: readonly string[],
): PreviewedPrompt {
  const messages = (["system", "prompt"] as const).flatMap((field): PromptMessage[] => {
    const template = data[field];
    if (typeof template !== "string" || template === "") return [];
    const parts = parseTemplate(template).parts.map((part, at): PromptPart => {
      return typeof part === "string"
        ? { at, kind: "text", text: part }
        : fillIn({ ...part, at }, analysis, known, loops);
    });
    return [{ role: field === "system" ? "system" : "user", parts }];
  });
  const parts = messages.flatMap((message) => message.parts);
  return {
    messages,
    tokens: parts.reduce((sum, part) => sum + (part.kind === "missing" ? 0 : estimateTokens(part.text)), 0),
    missing: parts.filter((part) => part.kind === "missing"),
  };
}

function fillIn(
  { references, source, at }: Expression & { at: number },
  analysis: Analysis,
  known: Known,
  loops: readonly string[],
): PromptPart {
  const missing = (reason: string): PromptPart => ({ at, kind: "missing", source, reason });
  const scope: Record<string, unknown> = Object.create(null);
  const labels = new Set<string>();
  for (const { name } of references) {
    const node = findNamedNode(analysis.index, name);
    if (node === null) return missing("This step doesn't exist");
    if (loops.includes(node.id)) return missing(`Different for each item of ${nodeLabel(node)}`);
    const output = knownOutput(known, node.id);
    if (output === undefined) return missing(`Run ${nodeLabel(node)} to see this value`);
    scope[name] = output;
    labels.add(nodeLabel(node));
  }
  try {
    const value = resolveTemplate(source, scope);
    if (value === null) return missing(`${[...labels].join(", ") || "It"} returned no value here`);
    return { at, kind: "value", source, text: toText(value) };
  } catch (error) {
    const isWrong = error instanceof StepError && error.reason !== "data_too_large";
    return missing(isWrong ? error.message : "Too large to show");
  }
}

/** A token is about four Latin letters, or two letters of other scripts. */
function estimateTokens(text: string): number {
  const others = text.replace(/[\u0020-\u007e\s]/g, "").length;
  return Math.ceil((text.length - others) / 4 + others / 2);
}
