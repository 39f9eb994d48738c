import { type ConditionOperator, UNARY_OPERATORS } from "#lib/contract/workflow/condition-operators";
import { booleanOf, numberOf } from "#lib/core/expressions/compare-values";
import { membersOf, type Shape } from "#lib/core/shapes/shape";

/** One side of a rule before a run. A constant has its value. */
export interface Operand {
  shape: Shape;
  constant?: string | number | boolean;
}

/** What is known about a rule: it never depends on the data, or only if a text is a number; its right side is empty. */
export type ComparisonFault = "never_matches" | "needs_numeric_text" | "compares_nothing";

type Kind = "text" | "number" | "boolean" | "array" | "object";
type Side = { kind: Kind; shape: Shape; constant: Operand["constant"] };

const NEGATIVE: ReadonlySet<ConditionOperator> = new Set(["not_equals", "not_contains", "is_not_empty"]);

/** Returns true if an operator holds exactly when its comparison fails. */
export function isNegative(operator: ConditionOperator): boolean {
  return NEGATIVE.has(operator);
}

/**
 * Judges a rule by the types of its sides, with the conversions of `evaluateRules`. Null if the comparison can succeed, or
 * if a type is not known. Null values count as absent.
 * @param canBeAbsent true if the left side may be null although its shape does not say so
 */
export function judgeComparison(
  left: Operand,
  operator: ConditionOperator,
  right: Operand,
  canBeAbsent: boolean,
): ComparisonFault | null {
  const lefts = sidesOf(left);
  const fault = lefts === null ? null : judgeKinds(lefts, left, operator, right, canBeAbsent);
  return fault ?? (comparesNothing(lefts, operator, right) ? "compares_nothing" : null);
}

function judgeKinds(
  lefts: readonly Side[],
  left: Operand,
  operator: ConditionOperator,
  right: Operand,
  canBeAbsent: boolean,
): ComparisonFault | null {
  switch (operator) {
    case "exists":
      return null;
    case "is_empty":
    case "is_not_empty": {
      const isAbsent = canBeAbsent || membersOf(left.shape).some(({ kind }) => kind === "null");
      return !isAbsent && lefts.every(({ kind }) => kind === "number" || kind === "boolean") ? "never_matches" : null;
    }
    case "is_true":
    case "is_false":
      return lefts.every(({ kind }) => kind !== "text" && kind !== "boolean") ? "never_matches" : null;
    case "starts_with":
    case "ends_with":
    case "matches":
      return lefts.every(isNested) ? "never_matches" : null;
    default:
      return judgePairs(lefts, operator, sidesOf(right));
  }
}

const PARTS: ReadonlySet<ConditionOperator> = new Set(["starts_with", "ends_with", "matches"]);

/** Returns true if the right side is null, or an empty text that is compared as a part of a text. */
function comparesNothing(lefts: readonly Side[] | null, operator: ConditionOperator, right: Operand): boolean {
  if (UNARY_OPERATORS.includes(operator)) return false;
  if (membersOf(right.shape).every(({ kind }) => kind === "null")) return true;
  if (right.constant !== "") return false;
  // A list can contain an empty text, and an object a field without a name.
  return PARTS.has(operator) || (operator.endsWith("contains") && lefts !== null && !lefts.some(isNested));
}

function judgePairs(
  lefts: readonly Side[],
  operator: ConditionOperator,
  rights: readonly Side[] | null,
): ComparisonFault | null {
  const isOrder = operator.startsWith("greater") || operator.startsWith("less");
  if (rights === null) return isOrder && lefts.every(hasNoOrder) ? "never_matches" : null;
  const pairs = lefts.flatMap((a) => rights.map((b) => [a, b] as const));
  if (!isOrder) {
    const can = operator.endsWith("equals") ? canBeEqual : canContain;
    return pairs.some(([a, b]) => can(a, b)) ? null : "never_matches";
  }
  if (!pairs.some(([a, b]) => canBeOrdered(a, b))) return "never_matches";
  return pairs.every(([a, b]) => needsNumericText(a, b) || needsNumericText(b, a)) ? "needs_numeric_text" : null;
}

/** Returns what a side can be if it is not null; null if that is not known, or if it is always null. */
function sidesOf({ shape, constant }: Operand): Side[] | null {
  const sides = membersOf(shape).flatMap((member) => {
    const kind = kindOf(member);
    return kind === null ? [] : [{ kind, shape: member, constant }];
  });
  const isKnown = membersOf(shape).every(({ kind }) => kind !== "unknown");
  return isKnown && sides.length > 0 ? sides : null;
}

function kindOf(shape: Shape): Kind | null {
  if (shape.kind === "array" || shape.kind === "object") return shape.kind;
  if (shape.kind !== "scalar") return null;
  if (shape.type === "string") return "text";
  return shape.type === "boolean" ? "boolean" : "number";
}

function isNested({ kind }: Side): boolean {
  return kind === "array" || kind === "object";
}

function hasNoOrder({ kind }: Side): boolean {
  return kind !== "text" && kind !== "number";
}

function canBeOrdered(a: Side, b: Side): boolean {
  if (hasNoOrder(a) || hasNoOrder(b)) return false;
  return a.kind === b.kind || (canBeNumber(a) && canBeNumber(b));
}

function needsNumericText(a: Side, b: Side): boolean {
  return a.kind === "number" && b.kind === "text" && b.constant === undefined;
}

function canBeEqual(a: Side, b: Side): boolean {
  if (a.kind === b.kind) return true;
  if (isNested(a) || isNested(b)) return false;
  if (a.kind === "number" || b.kind === "number") return canBeNumber(a) && canBeNumber(b);
  return canBeBoolean(a) && canBeBoolean(b);
}

function canBeNumber({ kind, constant }: Side): boolean {
  return kind === "number" || (kind === "text" && (constant === undefined || numberOf(constant) !== null));
}

function canBeBoolean({ kind, constant }: Side): boolean {
  return kind === "boolean" || (kind === "text" && (constant === undefined || booleanOf(constant) !== null));
}

function canContain(a: Side, b: Side): boolean {
  if (a.kind === "object") return !isNested(b);
  if (a.kind !== "array" || a.shape.kind !== "array") return true;
  if (membersOf(a.shape.items).some(({ kind }) => kind === "null")) return true;
  const items = sidesOf({ shape: a.shape.items });
  return items === null || items.some((item) => canBeEqual(item, b));
}
