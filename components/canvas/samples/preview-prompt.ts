import { parseTemplate } from "#lib/core/expressions/parse-template";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { toText } from "#lib/core/expressions/to-text";
import { findNamedNode } from "#lib/core/graph/edges";
import { nodeLabel } from "#lib/core/steps/node-data";
import type { Expression } from "#lib/support/scan-template";
import type { Analysis } from "@/components/canvas/document/analysis";
import { type Known, knownOutput } from "@/components/canvas/samples/known-values";

/**
 * A stretch of a message: as it was written, filled in from what a step last gave, or missing with the reason why. A value
 * is what would be sent, so what was redacted when it was kept stays redacted here. `at` counts them within a message.
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
  /** An estimate, of what is known: tokenizers differ from model to model. */
  tokens: number;
  missing: Extract<PromptPart, { kind: "missing" }>[];
}

/**
 * What an LLM step would send, by the values that are known.
 * @param data the step's, as far as it is filled in
 * @param loops the loops that the step is in, whose items are known only while they run
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
  { name, source, at }: Expression & { at: number },
  analysis: Analysis,
  known: Known,
  loops: readonly string[],
): PromptPart {
  const missing = (reason: string): PromptPart => ({ at, kind: "missing", source, reason });
  const node = findNamedNode(analysis.index, name);
  if (node === null) return missing("There is no such step");
  if (loops.includes(node.id)) return missing(`Another one for each item of ${nodeLabel(node)}`);
  const output = knownOutput(known, node.id);
  if (output === undefined) return missing(`Run ${nodeLabel(node)} to see it`);
  try {
    const value = resolveTemplate(source, { [name]: output });
    if (value === null) return missing(`${nodeLabel(node)} gave nothing there`);
    return { at, kind: "value", source, text: toText(value) };
  } catch {
    return missing("Too large to be shown");
  }
}

/** Of Latin letters about four make a token, of others about two. */
function estimateTokens(text: string): number {
  const others = text.replace(/[\u0020-\u007e\s]/g, "").length;
  return Math.ceil((text.length - others) / 4 + others / 2);
}
