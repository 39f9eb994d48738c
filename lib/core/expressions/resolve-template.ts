import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/step-error";
import { parseTemplate } from "#lib/core/expressions/parse-template";
import { toText } from "#lib/core/expressions/to-text";
import { formatNumber } from "#lib/support/format/format-number";
import { getPath } from "#lib/support/get-path";
import { exceedsJsonDepth, leastJsonBytes, setOwn } from "#lib/support/json";
import type { Expression, Template } from "#lib/support/scan-template";

const COUNTED_DEPTH = 1_000;

/** What a step can still spend on its templates. */
export interface TemplateBudget {
  /** Characters that are written into texts: `{{a}}{{a}}...` must not repeat a large value without limit. */
  characters: number;
  expressions: number;
}

export function templateBudget(): TemplateBudget {
  return { characters: LIMITS.runOutputBytes, expressions: LIMITS.expressions };
}

/**
 * Resolves the expressions of a template, which is a text or any JSON that contains texts (decisions, The graph
 * document). A text that consists of a single expression keeps the value's type; within a longer text, values become
 * text. An unknown name or path is null. Resolved values are never scanned again, so caller input is never evaluated.
 * Parts without expressions are returned by reference, so treat the result as read-only.
 * @param scope the output of each node by id, and `action_input` or `trigger`; only own properties count
 * @param budget what the templates of the step may cost; rules with several templates pass one for all of them
 * @throws StepError VALIDATION_ERROR if the resolved texts together exceed 10 MiB, there are too many expressions, or the
 * template is nested too deeply
 */
export function resolveTemplate(
  value: unknown,
  scope: Record<string, unknown>,
  budget: TemplateBudget = templateBudget(),
): unknown {
  return resolve(value, scope, budget, LIMITS.jsonDepth);
}

function resolve(value: unknown, scope: Record<string, unknown>, budget: TemplateBudget, depth: number): unknown {
  if (typeof value === "string") {
    if (!value.includes("{{")) return value;
    countExpressions(value, budget);
    return resolveText(parseTemplate(value), scope, budget);
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) {
    throw new StepError("data_too_large", `A template is nested deeper than ${LIMITS.jsonDepth} levels.`);
  }
  return Array.isArray(value)
    ? resolveArray(value, scope, budget, depth - 1)
    : resolveObject(value as JsonObject, scope, budget, depth - 1);
}

function resolveArray(
  items: unknown[],
  scope: Record<string, unknown>,
  budget: TemplateBudget,
  depth: number,
): unknown[] {
  let copy: unknown[] | null = null;
  for (let index = 0; index < items.length; index += 1) {
    const resolved = resolve(items[index], scope, budget, depth);
    if (resolved === items[index]) continue;
    copy ??= items.slice();
    copy[index] = resolved;
  }
  return copy ?? items;
}

function resolveObject(
  object: JsonObject,
  scope: Record<string, unknown>,
  budget: TemplateBudget,
  depth: number,
): JsonObject {
  let copy: JsonObject | null = null;
  for (const key in object) {
    const resolved = resolve(object[key], scope, budget, depth);
    if (resolved === object[key]) continue;
    copy ??= { ...object };
    setOwn(copy, key, resolved);
  }
  return copy ?? object;
}

function resolveText({ parts }: Template, scope: Record<string, unknown>, budget: TemplateBudget): unknown {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return typeof first === "string" ? first : lookUp(first, scope);
  let text = "";
  for (const part of parts) {
    const piece = typeof part === "string" ? part : textOf(lookUp(part, scope), budget);
    budget.characters -= piece.length;
    if (budget.characters < 0) throw tooLong();
    text += piece;
  }
  return text;
}

/** Counts an object before it is serialized, because the result may not fit. */
function textOf(value: unknown, { characters }: TemplateBudget): string {
  // Serializing reports what is nested even deeper.
  const isCountable = typeof value === "object" && value !== null && !exceedsJsonDepth(value, COUNTED_DEPTH);
  if (isCountable && leastJsonBytes(value, characters) > characters) throw tooLong();
  return toText(value);
}

function tooLong(): StepError {
  const megabytes = LIMITS.runOutputBytes / 1_048_576;
  return new StepError("data_too_large", `The resolved texts of this step exceed ${megabytes} MiB.`);
}

/** Counts the expressions of a text before it is parsed. What looks like one counts, too. */
function countExpressions(text: string, budget: TemplateBudget): void {
  for (let at = text.indexOf("{{"); at !== -1; at = text.indexOf("{{", at + 2)) budget.expressions -= 1;
  if (budget.expressions >= 0) return;
  const limit = formatNumber(LIMITS.expressions);
  throw new StepError("data_too_large", `A step can have at most ${limit} expressions. Loop over a list instead.`);
}

function lookUp({ name, path }: Expression, scope: Record<string, unknown>): unknown {
  return Object.hasOwn(scope, name) && name !== "__proto__" ? getPath(scope[name], path) : null;
}
