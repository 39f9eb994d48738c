import { NODE_ID_PATTERN } from "#lib/contract/graph";

/** A path into a value as an expression writes it: `{{create_refund.body.items[0].id}}`. */
export function toExpression(root: string, path: readonly (string | number)[]): string {
  const steps = path.map((part) => {
    if (typeof part === "number") return `[${part}]`;
    return NODE_ID_PATTERN.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
  });
  return `{{${root}${steps.join("")}}}`;
}
