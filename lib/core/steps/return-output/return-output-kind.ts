import { PROPERTY_TYPES } from "#lib/contract/wire/json-schema";
import { defineStepKind, type TypedField } from "#lib/core/steps/define-step-kind";
import { propertyShape } from "#lib/core/steps/property-shape";
import { withItem } from "#lib/core/steps/with-item";
import { isJsonObject } from "#lib/support/json";

export const returnOutputKind = defineStepKind({
  type: "return_output",
  title: "Return Output",
  category: "input_output",
  description: "Define what the action returns when the run succeeds",
  guidance:
    "A callable workflow has at least one. Each value is a template. A required property that is null fails the run.",
  keywords: "end result response answer finish",
  newData: () => ({ properties: [] }),
  example: { properties: [{ name: "total", type: "number", required: true, value: "{{price.total}}" }] },
  least: { properties: [] },
  output: "an object with the properties",
  outputShape: (data) => propertyShape(data.properties),
  branches: () => [],
  templates: ["properties.*.value"],
  addValue: (data, { name, type, canBeMissing, expression }) => {
    const property = { name, type, required: !canBeMissing, value: expression };
    return { ...data, properties: withItem(data.properties, property) };
  },
  typedFields: (data) => (Array.isArray(data.properties) ? data.properties.flatMap(typedField) : []),
  isResult: true,
  fitsInLoop: false,
  repeatsSettings: false,
  effects: "none",
  handler: async () => (await import("#lib/core/steps/return-output/return-output")).prepareReturnOutput,
});

/** The end of a run also accepts lists and objects as JSON text, because models write them that way. */
function typedField(property: unknown, index: number): TypedField[] {
  if (!isJsonObject(property)) return [];
  const expected = PROPERTY_TYPES.find((type) => type === property.type);
  if (expected === undefined) return [];
  return [{ field: `properties.${index}.value`, template: property.value, expected, readsJson: true }];
}
