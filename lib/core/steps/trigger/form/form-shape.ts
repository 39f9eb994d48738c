import type { InputSchema } from "#lib/contract/wire/json-schema";
import type { Shape } from "#lib/core/shapes/shape";
import { type DeclaredField, valueSchema } from "#lib/core/steps/action-input/value-schema";
import { propertyShape } from "#lib/core/steps/property-shape";
import { FORM_FIELD_TYPES, type FormFieldType } from "#lib/core/steps/trigger/form/form-fields";
import { isJsonObject, setOwn } from "#lib/support/json";

/** Returns the shape of what a form sends, for the fields of a draft, which can be anything. */
export function formShape(fields: unknown): Shape {
  return propertyShape(propertiesOf(fields));
}

/** Returns the JSON Schema of what a form sends, for the fields of a draft. */
export function formSchema(fields: unknown): InputSchema {
  const schema: InputSchema = { type: "object", properties: {}, required: [] };
  for (const property of propertiesOf(fields)) {
    setOwn(schema.properties, property.name, valueSchema(property));
    if (property.required) schema.required.push(property.name);
  }
  return schema;
}

/** Describes the fields as the input of an action is described. Fields without a name do not count. */
function propertiesOf(fields: unknown): DeclaredField[] {
  if (!Array.isArray(fields)) return [];
  return fields.flatMap((field) => {
    if (!isJsonObject(field) || typeof field.name !== "string" || field.name === "") return [];
    const { name, label, type = "text", required, options } = field;
    const { property } = FORM_FIELD_TYPES[isFieldType(type) ? type : "text"];
    const offered = Array.isArray(options) && options.length > 0 ? { enum: options } : {};
    return {
      name,
      type: property,
      ...(typeof label === "string" && { description: label }),
      ...(property === "array" ? { items: { type: "string" as const, ...offered } } : offered),
      // An empty text is left out, while a list and a checkbox always have a value.
      required: required === true || property === "array" || property === "boolean",
    };
  });
}

function isFieldType(type: unknown): type is FormFieldType {
  return typeof type === "string" && Object.hasOwn(FORM_FIELD_TYPES, type);
}
