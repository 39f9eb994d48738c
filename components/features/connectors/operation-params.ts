import { PARAMETER_PLACES } from "#lib/contract/connector/connector";
import { type InputSchema, type JsonObject, PROPERTY_TYPES, type PropertySchema } from "#lib/contract/wire/json-schema";
import { isJsonObject, setOwn } from "#lib/support/json";
import { orderedProperties } from "@/components/features/actions/ordered-properties";

/** One form field that fills part of an operation's params. */
interface ParamField {
  /** `path.order_id`, `body.note`, or `body` if the body is one field. */
  name: string;
  /** The path within the params. */
  path: readonly string[];
  property: PropertySchema;
  isRequired: boolean;
}

/** Returns the fields of a custom connector's operation: its parameters, then the properties of its body. */
export function listParamFields(paramsSchema: JsonObject): ParamField[] {
  const groups = propertiesOf(paramsSchema);
  const parameters = PARAMETER_PLACES.flatMap((place) => fieldsOf(place, groups[place], true));
  const { body } = groups;
  if (!isJsonObject(body)) return parameters;
  const isRequired = requiredOf(paramsSchema).has("body");
  const parts = fieldsOf("body", body, isRequired);
  const whole = { name: "body", path: ["body"], property: toProperty(body, "object"), isRequired };
  return [...parameters, ...(parts.length === 0 ? [whole] : parts)];
}

/** Returns the schema that parses the texts of such a form. */
export function schemaOf(fields: readonly ParamField[]): InputSchema {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, property }) => [name, property])),
    required: fields.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
  };
}

/** Builds the params from the values of the fields. */
export function toParams(fields: readonly ParamField[], values: JsonObject): JsonObject {
  const params: JsonObject = {};
  for (const { name, path } of fields) {
    if (!Object.hasOwn(values, name)) continue;
    const [group = "", key] = path;
    if (key === undefined) {
      params[group] = values[name];
      continue;
    }
    const inner = isJsonObject(params[group]) ? params[group] : {};
    setOwn(inner, key, values[name]);
    params[group] = inner;
  }
  return params;
}

function fieldsOf(group: string, schema: unknown, isGroupRequired: boolean): ParamField[] {
  if (!isJsonObject(schema)) return [];
  const required = requiredOf(schema);
  return orderedProperties(propertiesOf(schema), [...required]).map(([key, property]) => ({
    name: `${group}.${key}`,
    path: [group, key],
    property: toProperty(isJsonObject(property) ? property : {}, "string"),
    isRequired: isGroupRequired && required.has(key),
  }));
}

/** Returns the part of a schema that a field shows; of several types, the first usable one. */
function toProperty(schema: JsonObject, otherwise: PropertySchema["type"]): PropertySchema {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const { description } = schema;
  return {
    type: PROPERTY_TYPES.find((known) => types.includes(known)) ?? otherwise,
    ...(typeof description === "string" ? { description } : {}),
    ...(Array.isArray(schema.enum) ? { enum: schema.enum } : {}),
    ...(schema.default === undefined ? {} : { default: schema.default }),
  };
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema.properties) ? schema.properties : {};
}

function requiredOf(schema: JsonObject): ReadonlySet<string> {
  return new Set(Array.isArray(schema.required) ? schema.required.map(String) : []);
}
