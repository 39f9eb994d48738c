import type { JsonObject } from "#lib/contract/wire/json-schema";
import { closedObject, type ObjectShape, type Shape, scalar, UNKNOWN } from "#lib/core/shapes/shape";
import type { ShapeContext } from "#lib/core/steps/define-step-kind";

/** The values that a step provides while it works through a list (decisions, The graph document: loop). */
export function itemShape({ items }: JsonObject, { shapeOf }: ShapeContext): ObjectShape {
  return closedObject(
    ["item", itemOf(shapeOf(items)), "The item of the current iteration"],
    ["index", scalar("integer"), "The index of the current iteration, starting at 0"],
  );
}

/** Returns the shape of the items, if the value is certainly a list. */
export function itemOf(list: Shape): Shape {
  return list.kind === "array" ? list.items : UNKNOWN;
}
