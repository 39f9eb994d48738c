import { type BuildFinding, BuildRefused, below, toFinding } from "#lib/connectors/custom/custom-definition";
import { readExample } from "#lib/connectors/custom/read-example";
import { resolveReference } from "#lib/connectors/custom/resolve-reference";
import { resolveSchema } from "#lib/connectors/custom/resolve-schema";
import { type WireParameter, wireParameter } from "#lib/connectors/custom/wire/wire-parameter";
import { mimeOf } from "#lib/connectors/http/body/mime-of";
import { RESERVED_HEADERS } from "#lib/connectors/http/build-request";
import { PARAMETER_PLACES, type ParameterPlace } from "#lib/contract/connector/connector";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject, setOwn } from "#lib/support/json";

/** OpenAPI ignores these as parameters: they come from the security scheme and the body. */
const IGNORED_HEADERS = new Set(["accept", "content-type", "authorization"]);
/** A cookie parameter would replace what this header says, or the other way around. */
const COOKIE_HEADER = "cookie";

const PARAMETERS_MAX = 200;

interface Parameters {
  /** Schemas by place. */
  groups: JsonObject;
  /** As `place.name`. */
  required: string[];
  wire: WireParameter[];
  /** The examples of the document, by place. */
  examples: JsonObject;
}

interface Declared {
  parameter: JsonObject;
  at: string;
  place: ParameterPlace;
  name: string;
}

/**
 * Reads the parameters of an operation, including those that its path declares for all operations.
 * @param sent the headers and query parameters that the connection sends, as `parameterKey` spells them
 */
export function readParameters(
  document: JsonObject,
  { item, operation, pointer }: { item: JsonObject; operation: JsonObject; pointer: string },
  findings: BuildFinding[],
  sent: ReadonlySet<string>,
): Parameters {
  const byKey = new Map<string, Declared>();
  const declared = [
    ...listOf(item.parameters, pointer.slice(0, pointer.lastIndexOf("/"))),
    ...listOf(operation.parameters, pointer),
  ];
  if (declared.length > PARAMETERS_MAX) {
    throw new BuildRefused(pointer, "too_many_parameters", `The operation has more than ${PARAMETERS_MAX} parameters.`);
  }
  for (const { raw, at } of declared) {
    const parameter = resolveReference(document, raw, at);
    if (!isJsonObject(parameter) || typeof parameter.name !== "string" || parameter.name.length > 200) continue;
    const { name, in: place } = parameter;
    if (sent.has(parameterKey(place, name))) continue;
    const header = place === "header" ? name.toLowerCase() : "";
    if (IGNORED_HEADERS.has(header)) continue;
    const isReserved = RESERVED_HEADERS.has(header) || header === COOKIE_HEADER;
    if (isReserved || !isPlace(place)) {
      const message = `The ${String(place).slice(0, 20)} parameter ${name.slice(0, 100)} was left out because it can't be sent.`;
      findings.push(toFinding("left_out", at, "parameter", message));
      continue;
    }
    byKey.set(parameterKey(place, name), { parameter, at, place, name });
  }
  return group(document, [...byKey.values()], findings);
}

/** Header names have no case. */
export function parameterKey(place: unknown, name: string): string {
  return `${String(place)}.${place === "header" ? name.toLowerCase() : name}`;
}

function group(document: JsonObject, parameters: Declared[], findings: BuildFinding[]): Parameters {
  const groups: JsonObject = {};
  const examples: JsonObject = {};
  const required: string[] = [];
  for (const where of PARAMETER_PLACES) {
    const here = parameters.filter(({ place }) => place === where);
    if (here.length === 0) continue;
    const properties: JsonObject = {};
    const shown: JsonObject = {};
    const needed = here.filter(({ parameter }) => where === "path" || parameter.required === true);
    for (const { parameter, at, name } of here) {
      const schema = resolveSchema(document, ...schemaOf(parameter, at), findings);
      const { description } = parameter;
      const more = typeof description === "string" ? { description: description.slice(0, 300) } : {};
      setOwn(properties, name, { ...schema, ...more });
      const example = readExample(document, mediaOf(parameter) ?? parameter);
      if (example !== undefined) setOwn(shown, name, example);
    }
    if (Object.keys(shown).length > 0) examples[where] = shown;
    required.push(...needed.map(({ name }) => `${where}.${name}`));
    groups[where] = { type: "object", properties, required: needed.map(({ name }) => name) };
  }
  return { groups, required, wire: parameters.map(wireOf), examples };
}

/** A parameter has either a schema or the content of one media type. */
function schemaOf({ schema, content }: JsonObject, at: string): [unknown, string] {
  const [type] = contentTypes(content);
  if (type === undefined || !isJsonObject(content)) return [schema, below(at, "schema")];
  const media = content[type];
  return [isJsonObject(media) ? media.schema : {}, below(below(below(at, "content"), type), "schema")];
}

function mediaOf({ content }: JsonObject): JsonObject | null {
  const [type] = contentTypes(content);
  const media = type !== undefined && isJsonObject(content) ? content[type] : null;
  return isJsonObject(media) ? media : null;
}

function wireOf({ parameter, place, name }: Declared): WireParameter {
  const [type] = contentTypes(parameter.content);
  const wire = wireParameter(place, name, parameter);
  return type === undefined ? wire : { ...wire, content: mimeOf(type) };
}

function contentTypes(content: unknown): string[] {
  return isJsonObject(content) ? Object.keys(content) : [];
}

function listOf(parameters: unknown, pointer: string): { raw: unknown; at: string }[] {
  if (!Array.isArray(parameters)) return [];
  return parameters.map((raw, index) => ({ raw, at: below(below(pointer, "parameters"), index) }));
}

function isPlace(place: unknown): place is ParameterPlace {
  return PARAMETER_PLACES.some((known) => known === place);
}
