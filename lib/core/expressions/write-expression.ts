/** Matches field names that work after a dot; other names need brackets and quotes (decisions, The graph document). */
const PLAIN_FIELD = /^[\p{L}\p{N}\p{M}_$-]{1,200}$/u;

/** Writes the expression that reads a path of a step's output: `{{order.lines[0]["unit price"]}}`. */
export function writeExpression(name: string, path: readonly (string | number)[]): string {
  return `{{${name}${path.map(writeSegment).join("")}}}`;
}

function writeSegment(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return PLAIN_FIELD.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
