/** The names that an expression accepts after a dot: letters of any script, digits, `_`, `$` and `-`. */
const FIELD = /^[\p{L}\p{N}\p{M}_$-]{1,200}$/u;

/** Writes the path into a value as an expression: `{{create_refund.body.items[0]["a b"]}}`. */
export function toExpression(root: string, path: readonly (string | number)[]): string {
  const steps = path.map((part) => {
    if (typeof part === "number") return `[${part}]`;
    return FIELD.test(part) ? `.${part}` : `["${part.replaceAll(/["\\]/g, "\\$&")}"]`;
  });
  return `{{${root}${steps.join("")}}}`;
}
