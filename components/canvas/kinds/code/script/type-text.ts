import { membersOf, type Shape } from "#lib/core/shapes/shape";

/** An object with more fields, or deeper in the type, is shortened. */
const FIELDS_MAX = 12;
const DEPTH_MAX = 5;
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name);
}

/** Returns a shape as a TypeScript type, such as `{ id: string; lines: { sku: string }[] }`. */
export function typeText(shape: Shape, depth = 0): string {
  const texts = new Set(membersOf(shape).map((member) => memberText(member, depth)));
  return [...texts].join(" | ");
}

function memberText(shape: Shape, depth: number): string {
  switch (shape.kind) {
    case "null":
      return "null";
    case "scalar":
      return shape.type === "integer" ? "number" : shape.type;
    case "array": {
      const items = typeText(shape.items, depth + 1);
      return items.includes(" | ") ? `(${items})[]` : `${items}[]`;
    }
    case "object":
      return objectText(shape, depth);
    default:
      return "unknown";
  }
}

function objectText({ fields, rest }: Extract<Shape, { kind: "object" }>, depth: number): string {
  if (fields.size === 0) return rest === null ? "{}" : "object";
  if (depth > DEPTH_MAX) return "{ … }";
  const shown = [...fields].slice(0, FIELDS_MAX).map(([name, field]) => {
    const key = isIdentifier(name) ? name : JSON.stringify(name);
    return `${key}${field.isOptional ? "?" : ""}: ${typeText(field.shape, depth + 1)}`;
  });
  return `{ ${[...shown, ...(fields.size > FIELDS_MAX ? ["…"] : [])].join("; ")} }`;
}
