import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { PreparedNode, StepContext, TemplateValues } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { templateBudget } from "#lib/core/expressions/template-budget";
import { addUnresolved } from "#lib/core/expressions/unresolved-path";
import { decideCase } from "#lib/core/steps/decide-case";
import { filterData } from "#lib/core/steps/filter/filter-data";
import { requireItems } from "#lib/core/steps/item-data";
import { parseData } from "#lib/core/steps/parse-data";
import { resolveRules } from "#lib/core/steps/resolve-rules";
import { formatBytes } from "#lib/support/format/format-number";
import { exceedsJsonBytes } from "#lib/support/json-text/measure-json";

/** Keeps the items that match the rules (decisions, The graph document: filter). */
export function prepareFilter(node: GraphNode): PreparedNode<{ items: unknown[] }> {
  const { items: template, match, rules } = parseData(filterData, node);
  return {
    hasTimeLimit: true,
    resolveInput: (scope, _runInput, unresolved) => ({
      items: requireItems(resolveTemplate(template, scope, templateBudget(unresolved), "items"), "a filter"),
    }),
    execute: async ({ items }, context) => {
      const kept: unknown[] = [];
      const scope: TemplateValues = Object.assign(Object.create(null), context.scope);
      for (const [index, item] of items.entries()) {
        scope[node.id] = { item, index };
        const budget = templateBudget();
        const resolved = resolveRules(rules, scope, budget);
        for (const note of budget.unresolved) addUnresolved(context.unresolved, note);
        if (exceedsJsonBytes(resolved, LIMITS.stepOutputBytes)) throw tooLarge();
        if ((await decideCase([{ match, rules: resolved }], context)) === 0) kept.push(item);
        await letOthersWork(context);
      }
      return { items: kept, count: kept.length };
    },
  };
}

/** The rules of a condition are limited as its input; those of a filter are resolved for each item. */
function tooLarge(): StepError {
  const limit = formatBytes(LIMITS.stepOutputBytes);
  const message = `The rules of a filter can compare at most ${limit} for each item. Compare a field instead of a whole list`;
  return new StepError("data_too_large", message);
}

/** Checking one item costs as much as a condition; checking a thousand at once would block every other run. */
async function letOthersWork({ signal }: StepContext): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}
