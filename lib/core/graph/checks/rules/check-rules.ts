import { CONDITION_OPERATORS, type ConditionOperator } from "#lib/contract/workflow/condition-operators";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import {
  type ComparisonFault,
  isNegative,
  judgeComparison,
  type Operand,
} from "#lib/core/expressions/judge-comparison";
import { parseTemplate } from "#lib/core/expressions/parse-template";
import { createCertainSteps } from "#lib/core/graph/certain-steps";
import { nodeProblem, nodeWarning } from "#lib/core/graph/checks/problem";
import { createTrust } from "#lib/core/graph/checks/rules/trusted-shapes";
import { valuesAt } from "#lib/core/graph/checks/values-at";
import { findNamedNode, type GraphIndex } from "#lib/core/graph/edges";
import type { NodeShapes } from "#lib/core/graph/node-shapes";
import { describeShape } from "#lib/core/shapes/describe-shape";
import { membersOf, NULL, shapeOfValue } from "#lib/core/shapes/shape";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { isJsonObject } from "#lib/support/json";

type Rule = { left: unknown; operator: ConditionOperator; right: unknown };

/**
 * Finds rules whose result never depends on the data, because their operator does not work on the types of their sides. A
 * text that is compared with a number is only a warning, because it can be a number, and so is an empty right side, because
 * the rule has a result.
 */
export function checkRules(index: GraphIndex, shapes: NodeShapes): GraphProblem[] {
  const isTrusted = createTrust(index);
  const certain = createCertainSteps(index);
  return index.definition.nodes.flatMap((node) =>
    STEP_KINDS[node.type].ruleLists
      .flatMap((list) => valuesAt(node.data, `${list}.*`))
      .flatMap(({ field, value }) => {
        const rule = readRule(value);
        if (rule === null) return [];
        const { operator } = rule;
        const [left, right] = [operandOf(rule.left, shapes), operandOf(rule.right, shapes)];
        const canBeAbsent = !isPresent(index, node, rule.left, (id) => certain.isCertain(node.id, id));
        const fault = judgeComparison(left, operator, right, canBeAbsent);
        if (fault === null) return [];
        const isNever = fault === "never_matches";
        const isOfRight =
          fault === "compares_nothing" || (isNever && right.constant !== undefined && isScalarSide(left));
        const side = isOfRight ? "right" : "left";
        const create = isNever && isTrusted([rule.left, rule.right]) ? nodeProblem : nodeWarning;
        const message = `${field} ${describeFault(fault, left, operator, right)}`;
        return [create(node, "TYPE_MISMATCH", message, `${field}.${side}`)];
      }),
  );
}

function readRule(value: unknown): Rule | null {
  if (!isJsonObject(value)) return null;
  const operator = CONDITION_OPERATORS.find((known) => known === value.operator);
  const { left, right } = value;
  return operator === undefined || left === undefined || left === "" ? null : { left, operator, right };
}

function operandOf(template: unknown, shapes: NodeShapes): Operand {
  if (typeof template === "string" && !template.includes("{{")) {
    return { shape: shapeOfValue(template), constant: template };
  }
  if (typeof template === "number" || typeof template === "boolean") {
    return { shape: shapeOfValue(template), constant: template };
  }
  return { shape: template === undefined ? NULL : shapes.ofTemplate(template) };
}

/** Returns true if the left side is one path that leads to a value of a step that has completed, and not into a list. */
function isPresent(index: GraphIndex, node: GraphNode, left: unknown, isCertain: (id: string) => boolean): boolean {
  if (typeof left !== "string") return true;
  const [only, ...others] = parseTemplate(left).parts;
  if (only === undefined || typeof only === "string" || others.length > 0) return others.length > 0;
  const { root } = only;
  if (root.kind !== "reference" || root.path.some((key) => typeof key === "number" || /^\d+$/.test(key))) return false;
  const named = findNamedNode(index, root.name);
  return named !== null && named !== node && isCertain(named.id);
}

function isScalarSide({ shape }: Operand): boolean {
  return membersOf(shape).every(({ kind }) => kind === "scalar" || kind === "null");
}

function describeFault(fault: ComparisonFault, left: Operand, operator: ConditionOperator, right: Operand): string {
  const given = describeShape(left.shape);
  const other = describeOperand(right);
  if (fault === "needs_numeric_text")
    return `compares ${given} with ${other}, which only works if the text is a number`;
  const result = `is always ${isNegative(operator) ? "true" : "false"}`;
  if (fault === "compares_nothing") {
    const nothing = right.constant === "" ? "an empty text" : "null";
    return `${result}: ${operator} never matches ${nothing}; use is_empty or exists to find out whether there is a value`;
  }
  if (operator === "is_empty" || operator === "is_not_empty") {
    return `${result}: ${given} is never empty; use exists to find out whether there is a value`;
  }
  return `${result}: ${operator} does not work on ${other === "" ? given : `${given} and ${other}`}`;
}

function describeOperand({ shape, constant }: Operand): string {
  return constant === undefined ? describeShape(shape) : JSON.stringify(constant).slice(0, 60);
}
