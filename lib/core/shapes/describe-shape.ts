import type { PropertyType } from "#lib/contract/wire/json-schema";
import { membersOf, type Shape } from "#lib/core/shapes/shape";

/** The types of JSON in the words of messages. */
export const TYPE_WORDS: Record<PropertyType, string> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

/** Names what a value can be, without null: "text", or "a list or an object". */
export function describeShape(shape: Shape): string {
  return [...new Set(membersOf(shape).flatMap(wordsOf))].join(" or ");
}

function wordsOf(shape: Shape): string[] {
  if (shape.kind === "scalar") return [TYPE_WORDS[shape.type]];
  return shape.kind === "array" || shape.kind === "object" ? [TYPE_WORDS[shape.kind]] : [];
}
