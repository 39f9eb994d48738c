import { PARAMETER_PLACES } from "#lib/contract/connector";
import { type InputSchema, type JsonObject, PROPERTY_TYPES, type PropertySchema } from "#lib/contract/json-schema";
import { isJsonObject, setOwn } from "#lib/support/json";
import { orderedProperties } from "@/components/features/actions/ordered-properties";

/** One field of a form that fills an operation's params. */
interface ParamField {
  /** `path.order_id`, `body.note`, or `body` where it is given as a whole. */
  name: string;
  /** Where it stands in the params. */
  path: readonly string[];
  property: PropertySchema;
  isRequired: boolean;
}

/** The fields of an operation of a custom connector: its parameters, then what its body consists of. */
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

/** The schema by which texts of such a form are read. */
export function schemaOf(fields: readonly ParamField[]): InputSchema {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, property }) => [name, property])),
    required: fields.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
  };
}

/** The params that the values of the fields make. */
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

/** As much of a schema as a field shows; of several types the first that says something. */
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
