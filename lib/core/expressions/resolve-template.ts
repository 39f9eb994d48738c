import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { evaluateExpression } from "#lib/core/expressions/evaluate-expression";
import { parseTemplate } from "#lib/core/expressions/parse-template";
import type { Template } from "#lib/core/expressions/scan-template";
import { spendCharacters, type TemplateBudget, templateBudget, writeText } from "#lib/core/expressions/template-budget";
import { prefixFields } from "#lib/core/expressions/unresolved-path";
import { formatNumber } from "#lib/support/format/format-number";
import { setOwn } from "#lib/support/json";

/**
 * Resolves the expressions of a template, which is a text or any JSON that contains texts (decisions, The graph
 * document). A text that consists of a single expression keeps the value's type; within a longer text, values become
 * text. An unknown name or path is null. Resolved values are never scanned again, so caller input is never evaluated.
 * Parts without expressions are returned by reference, so treat the result as read-only.
 * @param scope the output of each node by id, and `action_input` or `trigger`; only own properties count
 * @param budget what the templates of the step may cost; rules with several templates pass one for all of them
 * @param field the place of the template in the node's data, for the warnings
 * @throws StepError VALIDATION_ERROR if the resolved texts together exceed 10 MiB, there are too many expressions, or the
 * template is nested too deeply
 */
export function resolveTemplate(
  value: unknown,
  scope: Record<string, unknown>,
  budget: TemplateBudget = templateBudget(),
  field = "",
): unknown {
  const { unresolved } = budget;
  const noted = unresolved.length;
  const resolved = resolve(value, scope, budget, LIMITS.jsonDepth);
  if (field !== "" && unresolved.length > noted) prefixFields(unresolved, noted, field);
  return resolved;
}

function resolve(value: unknown, scope: Record<string, unknown>, budget: TemplateBudget, depth: number): unknown {
  if (typeof value === "string") {
    if (!value.includes("{{")) return value;
    countExpressions(value, budget);
    return resolveText(parseTemplate(value), scope, budget);
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) throw nestedTooDeeply();
  return Array.isArray(value)
    ? resolveArray(value, scope, budget, depth - 1)
    : resolveObject(value as JsonObject, scope, budget, depth - 1);
}

/** Returns the error for a template of more levels than JSON may have. */
export function nestedTooDeeply(): StepError {
  return new StepError("data_too_large", `A template is nested deeper than ${LIMITS.jsonDepth} levels.`);
}

function resolveArray(
  items: unknown[],
  scope: Record<string, unknown>,
  budget: TemplateBudget,
  depth: number,
): unknown[] {
  let copy: unknown[] | null = null;
  for (let index = 0; index < items.length; index += 1) {
    const noted = budget.unresolved.length;
    const resolved = resolve(items[index], scope, budget, depth);
    if (budget.unresolved.length > noted) prefixFields(budget.unresolved, noted, index);
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
    const noted = budget.unresolved.length;
    const resolved = resolve(object[key], scope, budget, depth);
    if (budget.unresolved.length > noted) prefixFields(budget.unresolved, noted, key);
    if (resolved === object[key]) continue;
    copy ??= { ...object };
    setOwn(copy, key, resolved);
  }
  return copy ?? object;
}

/**
 * Resolves a text that is looked for in another one. If one of its expressions has no value, the result is null and not the
 * rest of the text: `{{tenant.prefix}}/` without a prefix would be a slash, with which every path starts.
 */
export function resolvePart(
  value: unknown,
  scope: Record<string, unknown>,
  budget: TemplateBudget = templateBudget(),
  field = "",
): unknown {
  if (typeof value !== "string" || !value.includes("{{")) return resolveTemplate(value, scope, budget, field);
  const { parts } = parseTemplate(value);
  if (parts.length === 1) return resolveTemplate(value, scope, budget, field);
  countExpressions(value, budget);
  const noted = budget.unresolved.length;
  const { text, lacksValue } = joinParts(parts, scope, budget);
  prefixFields(budget.unresolved, noted, field);
  return lacksValue ? null : text;
}

function resolveText({ parts }: Template, scope: Record<string, unknown>, budget: TemplateBudget): unknown {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) {
    return typeof first === "string" ? first : evaluateExpression(first.root, scope, budget);
  }
  return joinParts(parts, scope, budget).text;
}

function joinParts(
  parts: Template["parts"],
  scope: Record<string, unknown>,
  budget: TemplateBudget,
): { text: string; lacksValue: boolean } {
  let text = "";
  let lacksValue = false;
  for (const part of parts) {
    if (typeof part === "string") {
      spendCharacters(budget, part.length);
      text += part;
      continue;
    }
    const value = evaluateExpression(part.root, scope, budget);
    if (value === null || value === undefined) lacksValue = true;
    text += writeText(value, budget);
  }
  return { text, lacksValue };
}

/**
 * Counts the expressions of a text before it is parsed. What looks like one counts, too.
 * @throws StepError VALIDATION_ERROR if the step has too many
 */
export function countExpressions(text: string, budget: TemplateBudget): void {
  for (let at = text.indexOf("{{"); at !== -1; at = text.indexOf("{{", at + 2)) budget.expressions -= 1;
  if (budget.expressions >= 0) return;
  const limit = formatNumber(LIMITS.expressions);
  throw new StepError("data_too_large", `A step can have at most ${limit} expressions. Loop over a list instead.`);
}
