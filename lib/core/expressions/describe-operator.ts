import type { Cursor } from "#lib/core/expressions/text-cursor";
import { take } from "#lib/core/expressions/text-cursor";

/** What people write from other languages at a place where an expression can only end, and where it is possible here. */
const OPERATORS: readonly { pattern: RegExp; describe: (sign: string, name: string | undefined) => string }[] = [
  {
    pattern: /[-+*/%^]/y,
    describe: (sign) => `can't calculate with ${sign}; calculate in a Transform step with JSONata, or in a Code step`,
  },
  {
    pattern: /[<>]=?|[=!]={1,2}|&&?|\|\||\?(?!\?)|(?:and|or|not|in)\b/y,
    describe: (sign) => `can't use ${sign}; compare in a Condition step, or in a Transform step with JSONata`,
  },
  {
    pattern: /\|\s*([A-Za-z_]\w{0,63})?/y,
    describe: (_, name = "upper") => `can't pass a value on with |; call a function with the value: ${name}(value)`,
  },
  {
    pattern: /\(/y,
    describe: () => "can't call a field; call a function with the value in parentheses: upper(value)",
  },
];

/**
 * Says what is wrong with an operator at the cursor, and where it is possible; null if there is none. The cursor stays
 * where it is, so that scanning continues before the operator.
 * @param start the position of the `{{`
 */
export function describeOperator(cursor: Cursor, start: number): string | null {
  const { at } = cursor;
  for (const { pattern, describe } of OPERATORS) {
    const found = take(cursor, pattern);
    cursor.at = at;
    if (found) return `an expression ${describe(found[0].trimEnd(), found[1])} (character ${at - start + 1})`;
  }
  return null;
}
