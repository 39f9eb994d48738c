import { type JsonObject, PROPERTY_TYPES, type PropertyType } from "#lib/contract/json-schema";
import { findNamedNode, type GraphIndex } from "#lib/core/graph/edges";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";
import { type Expression, scanTemplate } from "#lib/support/scan-template";

/** A transform may take from a transform, and in a draft even from itself. */
const DEPTH_MAX = 10;

type Types = Readonly<Record<string, PropertyType>>;

/** What steps give, by dotted path (decisions, The graph document); what is not here only a run knows. */
const OUTPUTS: Readonly<Record<string, Types>> = {
  condition: { result: "boolean" },
  switch: { case: "string" },
  loop: { results: "array", count: "integer", index: "integer" },
  delay: { until: "string" },
  approval: { approved: "boolean", comment: "string", decided_by: "object", "decided_by.name": "string" },
  llm: {
    text: "string",
    usage: "object",
    "usage.input_tokens": "integer",
    "usage.output_tokens": "integer",
    "usage.total_tokens": "integer",
  },
};
const HTTP: Types = { status: "integer", headers: "object" };
const EVENTS: Readonly<Record<string, Types>> = {
  webhook: { "output.timestamp": "string" },
  schedule: { "output.timestamp": "string", "output.scheduleType": "string", "output.expression": "string" },
  connector: {
    "output.data": "object",
    "output.event": "string",
    "output.id": "string",
    "output.occurred_at": "string",
    "output.received_at": "string",
  },
};

/** The JSON type that a template gives, as far as the definition alone tells; null where only a run knows. */
export function typeOfTemplate(index: GraphIndex, template: unknown, depth = 0): PropertyType | null {
  if (typeof template !== "string") return typeOfValue(template);
  if (!template.includes("{{")) return "string";
  const { parts, errors } = scanTemplate(template);
  const [only, ...others] = parts;
  if (errors.length > 0 || depth > DEPTH_MAX) return null;
  // A template that is one expression keeps the value's type; text around it makes a text.
  return only === undefined || others.length > 0 || typeof only === "string"
    ? "string"
    : typeOfExpression(index, only, depth);
}

function typeOfExpression(index: GraphIndex, { name, path }: Expression, depth: number): PropertyType | null {
  const node = findNamedNode(index, name);
  if (node === null || path.length === 0) return null;
  const { data, type } = node;
  const key = path.join(".");
  switch (type) {
    case "action_input":
      return typeOfProperty(findNamed(data.properties, path[0]), path.slice(1));
    case "transform": {
      const field = path.length === 1 ? findNamed(data.fields, path[0]) : null;
      return field === null ? null : typeOfTemplate(index, field.value, depth + 1);
    }
    case "connector":
      return data.connector === "http" ? knownType(HTTP, key) : null;
    case "trigger":
      return typeof data.kind === "string" ? knownType(EVENTS[data.kind] ?? {}, key) : null;
    case "llm":
      return knownType(OUTPUTS.llm ?? {}, key) ?? typeOfAnswer(data, path);
    default:
      return knownType(OUTPUTS[type] ?? {}, key);
  }
}

function knownType(types: Types, key: string): PropertyType | null {
  return Object.hasOwn(types, key) ? (types[key] ?? null) : null;
}

function findNamed(items: unknown, name: string | number | undefined): JsonObject | null {
  if (!Array.isArray(items)) return null;
  return items.find((item) => isJsonObject(item) && item.name === name) ?? null;
}

/** A property's own type, or that of the items of a list. */
function typeOfProperty(property: JsonObject | null, rest: readonly (string | number)[]): PropertyType | null {
  const [inner, ...deeper] = rest;
  if (property === null || deeper.length > 0) return null;
  if (inner === undefined) return asType(property.type);
  return typeof inner === "number" ? asType(getPath(property, ["items", "type"])) : null;
}

/** Of what a model was asked to answer with. */
function typeOfAnswer({ output_schema: schema }: JsonObject, path: readonly (string | number)[]): PropertyType | null {
  const [first, name, ...deeper] = path;
  if (first !== "object" || !isJsonObject(schema) || deeper.length > 0) return null;
  return name === undefined ? "object" : asType(getPath(schema, ["properties", name, "type"]));
}

function asType(value: unknown): PropertyType | null {
  return PROPERTY_TYPES.find((type) => type === value) ?? null;
}

function typeOfValue(value: unknown): PropertyType | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : asType(typeof value);
}
