import type { JsonObject } from "#lib/contract/wire/json-schema";
import { closedObject, type Shape, UNKNOWN } from "#lib/core/shapes/shape";
import { defineStepKind, type ShapeContext } from "#lib/core/steps/define-step-kind";
import { withItem } from "#lib/core/steps/with-item";
import { isJsonObject } from "#lib/support/json";

export const transformKind = defineStepKind({
  type: "transform",
  title: "Transform",
  category: "data",
  description: "Build an object from the output of earlier steps",
  guidance: "Set either fields or jsonata, a single JSONata expression over the outputs of earlier nodes.",
  keywords: "set map fields rename shape edit data",
  canContinue: true,
  newData: () => ({ fields: [{ name: "", value: "" }] }),
  example: { fields: [{ name: "text", value: "Hello {{action_input.name}}" }] },
  least: { fields: [] },
  output: "an object with the fields, read as {{id.name}}, or the result of jsonata",
  outputShape: (data, context) => (data.jsonata === undefined ? builtObject(data, context) : UNKNOWN),
  templates: ["fields.*.value"],
  program: { field: "jsonata", language: "jsonata" },
  addValue: (data, { name, expression }) =>
    data.jsonata === undefined ? { ...data, fields: withItem(data.fields, { name, value: expression }) } : null,
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
