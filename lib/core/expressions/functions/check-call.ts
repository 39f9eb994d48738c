import type { ExpressionNode, FunctionCall } from "#lib/core/expressions/expression";
import type { ExpressionFunction, Parameter } from "#lib/core/expressions/functions/expression-function";
import { FUNCTION_NAMES, findFunction, writeSignature } from "#lib/core/expressions/functions/expression-functions";
import { findFunctionAlias } from "#lib/core/expressions/functions/find-function-alias";
import { describeKinds, fitsKinds } from "#lib/core/expressions/functions/read-argument";
import { listSuggestions, quoteName } from "#lib/support/list-suggestions";

/** Lists what is wrong with the calls in an expression before any data is known, as ends of sentences. */
export function checkCalls(node: ExpressionNode): string[] {
  switch (node.kind) {
    case "call": {
      const problem = checkCall(node);
      return [...(problem === null ? [] : [problem]), ...node.args.flatMap(checkCalls)];
    }
    case "fallback":
      return node.operands.flatMap(checkCalls);
    default:
      return [];
  }
}

/** Returns what is wrong with a call: its function, the number of its arguments, or a constant; null if nothing is. */
export function checkCall({ name, args }: FunctionCall): string | null {
  const called = findFunction(name);
  if (called === null) return describeUnknown(name);
  const least = called.parameters.filter(({ isOptional }) => isOptional !== true).length;
  if (args.length < least || args.length > called.parameters.length) return describeCount(called, args.length);
  for (const [at, arg] of args.entries()) {
    const parameter = called.parameters[at];
    const problem = arg.kind !== "literal" || parameter === undefined ? null : checkConstant(parameter, arg.value);
    if (problem !== null) return `calls ${name}, whose argument "${parameter?.name}" ${problem}`;
  }
  return null;
}

/** Functions of other engines that have no counterpart, and where they are possible. */
const ADVICE: readonly (readonly [ReadonlySet<string>, string])[] = [
  [
    new Set(["now", "today", "current_date", "current_timestamp"]),
    "; expressions have no clock: use new Date() in a Code step",
  ],
  [new Set(["concat", "concatenate"]), "; write the expressions next to each other: {{a}}{{b}}"],
  [
    new Set(["if", "iif", "ternary", "eq", "ne", "gt", "lt", "and", "or", "not", "isempty"]),
    "; compare in a Condition step, or in a Transform step with JSONata",
  ],
  [
    new Set(["add", "sum", "multiply", "divide", "subtract", "floor", "ceil", "abs", "min", "max", "avg"]),
    "; calculate in a Transform step with JSONata, or in a Code step",
  ],
  [new Set(["env", "secret", "getenv"]), "; expressions read no environment variables: keep a secret in a connection"],
];

function describeUnknown(name: string): string {
  const alias = findFunctionAlias(name);
  const { words } = listSuggestions(name, FUNCTION_NAMES, "the functions are");
  const elsewhere = ADVICE.find(([names]) => names.has(name.toLowerCase()))?.[1];
  const advice = alias === null ? (elsewhere ?? words) : `; did you mean ${quoteName(alias)}?`;
  return `calls "${name}", which is not a function${advice}`;
}

function describeCount(called: ExpressionFunction, count: number): string {
  return `calls ${called.name} with ${count} arguments instead of ${writeSignature(called)}`;
}

function checkConstant(parameter: Parameter, value: string | number | boolean | null): string | null {
  if (value === null) return parameter.takesNull === true ? null : "must not be null";
  if (!fitsKinds(parameter.accepts, value)) return `must be ${describeKinds(parameter.accepts)}`;
  return parameter.check?.(value) ?? null;
}
