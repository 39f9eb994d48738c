import { LIMITS } from "#lib/contract/limits";
import type { ExpressionNode, Reference } from "#lib/core/expressions/expression";
import { FailedStep } from "#lib/core/expressions/failed-step";
import { callFunction } from "#lib/core/expressions/functions/call-function";
import type { TemplateBudget } from "#lib/core/expressions/template-budget";
import { addUnresolved, findStop } from "#lib/core/expressions/unresolved-path";
import { getPath } from "#lib/support/get-path";

/**
 * Returns the value of an expression. An unknown name or path is null.
 * @param scope the output of each step by id; only own properties count
 * @throws StepError VALIDATION_ERROR if a function cannot use its arguments, or the step exceeds its budget
 */
export function evaluateExpression(
  node: ExpressionNode,
  scope: Record<string, unknown>,
  budget: TemplateBudget,
): unknown {
  switch (node.kind) {
    case "reference":
      return lookUp(node, scope, budget);
    case "literal":
      return node.value;
    case "fallback":
      for (const operand of node.operands) {
        const value = evaluateExpression(operand, scope, budget);
        if (value !== null && value !== undefined) return value;
      }
      return null;
    case "call": {
      const args = node.args.map((arg) => evaluateExpression(arg, scope, budget));
      return getPath(callFunction(node, args, budget), node.path);
    }
  }
}

function lookUp(reference: Reference, scope: Record<string, unknown>, { unresolved }: TemplateBudget): unknown {
  const { name, path, hasFallback } = reference;
  const step = Object.hasOwn(scope, name) && name !== "__proto__" ? scope[name] : null;
  // A step that failed has no output, only an error.
  if (path.length === 0 && step instanceof FailedStep) return null;
  const value = getPath(step, path);
  if (value !== null || hasFallback || unresolved.length >= LIMITS.stepWarnings) return value;
  const stop = findStop(reference, scope);
  if (stop) addUnresolved(unresolved, stop);
  return null;
}
