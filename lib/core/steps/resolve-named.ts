import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { TemplateValues } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { templateBudget } from "#lib/core/expressions/template-budget";
import type { UnresolvedPath } from "#lib/core/expressions/unresolved-path";
import { setOwn } from "#lib/support/json";

/** Resolves a list of named templates, which is at `field` of the node's data, to an object in the order of the list. */
export function resolveNamed(
  field: string,
  items: readonly { name: string; value?: unknown }[],
  scope: TemplateValues,
  unresolved: UnresolvedPath[],
): JsonObject {
  const budget = templateBudget(unresolved);
  const resolved: JsonObject = {};
  for (const [index, { name, value }] of items.entries()) {
    setOwn(resolved, name, resolveTemplate(value, scope, budget, `${field}.${index}.value`));
  }
  return resolved;
}
