import type { PropertyType } from "#lib/contract/wire/json-schema";
import { type Shape, typeOfShape } from "#lib/core/shapes/shape";

/** A value in a step's output that later steps can read. */
export interface OutputField {
  path: readonly string[];
  /** Null if the type is only known when the step has run. */
  type: PropertyType | null;
  description: string;
}

/**
 * Lists the declared fields of an output. A closed object that is the only field is shown as its fields: an event is all
 * below `output`.
 * @returns null if the fields are only known when the step has run
 */
export function outputFields(shape: Shape): OutputField[] | null {
  const object = shape.kind === "union" ? shape.members.find(({ kind }) => kind === "object") : shape;
  if (object?.kind !== "object" || (object.fields.size === 0 && object.rest !== null)) return null;
  const [only, ...others] = object.fields;
  if (only !== undefined && others.length === 0 && only[1].shape.kind === "object" && only[1].shape.rest === null) {
    return (outputFields(only[1].shape) ?? []).map((field) => ({ ...field, path: [only[0], ...field.path] }));
  }
  return Array.from(object.fields, ([name, field]) => {
    return { path: [name], type: typeOfShape(field.shape), description: field.description };
  });
}
