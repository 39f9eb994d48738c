import { z } from "zod";
import type { JsonObject } from "#lib/contract/json-schema";
import { work } from "#lib/core/engine/work-settings";
import { propertyName, uniqueNames } from "#lib/core/input/property-data";
import { closedObject, type Shape, UNKNOWN } from "#lib/core/shapes/shape";
import { defineStepKind, type ShapeContext } from "#lib/core/steps/define-step-kind";
import { label } from "#lib/core/steps/node-data";
import { isJsonObject } from "#lib/support/json";

const transformField = z.object({ name: propertyName, value: z.unknown() });

export const transformKind = defineStepKind({
  type: "transform",
  title: "Transform",
  category: "data",
  description: "Build an object from the output of earlier steps",
  guidance: "Set either fields or jsonata, a single JSONata expression over the outputs of earlier nodes.",
  keywords: "set map fields rename shape edit data",
  data: z
    .object({
      ...label,
      ...work,
      fields: z.array(transformField).max(200).superRefine(uniqueNames).optional(),
      jsonata: z.string().min(1, "is required").max(20_000, "must be at most 20000 characters long").optional(),
    })
    .superRefine(({ fields, jsonata }, context) => {
      const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
      if (fields === undefined && jsonata === undefined) refuse("fields", "is required");
      if (fields !== undefined && jsonata !== undefined) refuse("jsonata", "cannot be combined with fields");
    }),
  newData: () => ({ fields: [{ name: "", value: "" }] }),
  example: { fields: [{ name: "text", value: "Hello {{action_input.name}}" }] },
  least: { fields: [] },
  output: "an object with the fields, read as {{id.name}}, or the result of jsonata",
  outputShape: (data, context) => (data.jsonata === undefined ? builtObject(data, context) : UNKNOWN),
  templates: ["fields.*.value"],
  effects: "none",
  handler: async () => (await import("#lib/core/steps/transform/transform")).prepareTransform,
});

/** Each field has the shape of the value that its template produces. */
function builtObject({ fields = [] }: JsonObject, { shapeOf }: ShapeContext): Shape {
  if (!Array.isArray(fields)) return UNKNOWN;
  const built = fields.filter(isJsonObject).flatMap(({ name, value }) => {
    return typeof name === "string" && name !== "" ? [[name, shapeOf(value)] as const] : [];
  });
  return closedObject(...built);
}
