import { PARAMETER_PLACES, type ParameterPlace } from "#lib/contract/connector/connector";
import type { DescribedOperation } from "#lib/contract/connector/connector-inputs";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { readTypedJson } from "#lib/core/input/read-typed-json";
import { isJsonObject } from "#lib/support/json";

export interface HandParameter {
  /** Identifies the row in the form. */
  key: string;
  name: string;
  place: ParameterPlace;
  isRequired: boolean;
  description: string;
  /** JSON Schema. */
  schema: JsonObject;
  /** The keywords that the form does not show, such as style. */
  more?: JsonObject;
}

/** An operation while the user describes it: schemas stay texts until they can be parsed. */
export interface HandOperation {
  /** Used only by the form; not sent. */
  key: string;
  name: string;
  title: string;
  method: string;
  path: string;
  description: string;
  parameters: readonly HandParameter[];
  bodyText: string;
  bodyType: string;
  isBodyRequired: boolean;
  outputText: string;
  /** What the form does not show. */
  more?: Pick<DescribedOperation, "server" | "body_encoding">;
}

const JSON_TYPE = "application/json";

export function emptyOperation(key: string): HandOperation {
  const words = { name: "", title: "", method: "GET", path: "/", description: "" };
  return { key, ...words, parameters: [], bodyText: "", bodyType: JSON_TYPE, isBodyRequired: true, outputText: "" };
}

export function toHand(described: DescribedOperation, key: string): HandOperation {
  const { name, title = "", method, path, description = "", parameters = [], body, output, ...rest } = described;
  const { body_type: bodyType = JSON_TYPE, body_required: isBodyRequired = true, ...more } = rest;
  return {
    key,
    name,
    title,
    method,
    path,
    description,
    parameters: parameters.map((parameter, index) => toParameter(parameter, `${key}.${index}`)),
    bodyText: body === undefined ? "" : JSON.stringify(body, null, 2),
    bodyType,
    isBodyRequired,
    outputText: output === undefined ? "" : JSON.stringify(output, null, 2),
    ...(Object.keys(more).length === 0 ? {} : { more }),
  };
}

function toParameter(parameter: JsonObject, key: string): HandParameter {
  const { name, in: place, required, description, schema, ...more } = parameter;
  return {
    key,
    name: String(name),
    place: PARAMETER_PLACES.find((known) => known === place) ?? "query",
    isRequired: required === true,
    description: typeof description === "string" ? description : "",
    schema: isJsonObject(schema) ? schema : {},
    ...(Object.keys(more).length === 0 ? {} : { more }),
  };
}

/** Returns the operation that an RFC 6901 pointer into the generated document points into, or null. */
export function findOperationAt(operations: readonly HandOperation[], pointer: string): HandOperation | null {
  const [, first, path = "", method = ""] = pointer.split("/");
  if (first !== "paths") return null;
  const plain = path.replaceAll("~1", "/").replaceAll("~0", "~");
  const isHere = (operation: HandOperation) =>
    operation.path === plain && (method === "" || operation.method.toLowerCase() === method);
  return operations.find(isHere) ?? null;
}

/** Returns the names in braces in a path. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
}

/** Returns the document to send. A name in the path that has no description becomes a required text parameter. */
export function toDescribed(hand: HandOperation): { operation: DescribedOperation; problems: string[] } {
  const { name, title, method, path, description, bodyType } = hand;
  const given = hand.parameters.filter((parameter) => parameter.name.trim() !== "");
  const undeclared = pathNames(path).filter(
    (known) => !given.some((parameter) => parameter.place === "path" && parameter.name === known),
  );
  const [body, output] = [readSchema(hand.bodyText), readSchema(hand.outputText)];
  const what = name === "" ? path : name;
  const problems = [
    ...(body === null ? [`${what}: its body isn't a valid JSON Schema. Enter a JSON object.`] : []),
    ...(output === null ? [`${what}: its response isn't a valid JSON Schema. Enter a JSON object.`] : []),
  ];
  const operation = {
    name,
    method,
    path,
    ...(title === "" ? {} : { title }),
    ...(description === "" ? {} : { description }),
    parameters: [
      ...undeclared.map((known) => ({ name: known, in: "path", required: true, schema: { type: "string" } })),
      ...given.map(describeParameter),
    ],
    ...(body ? { body, body_required: hand.isBodyRequired } : {}),
    ...(body && bodyType !== JSON_TYPE ? { body_type: bodyType } : {}),
    ...(output ? { output } : {}),
    ...hand.more,
  };
  return { operation, problems };
}

function describeParameter({ name, place, isRequired, description, schema, more }: HandParameter): JsonObject {
  return {
    name: name.trim(),
    in: place,
    required: isRequired || place === "path",
    ...(description === "" ? {} : { description }),
    ...more,
    ...(more?.content === undefined ? { schema } : {}),
  };
}

/** Returns undefined for an empty text, and null if the text can't be parsed. */
function readSchema(text: string): JsonObject | null | undefined {
  if (text.trim() === "") return undefined;
  const { value } = readTypedJson(text);
  return isJsonObject(value) ? value : null;
}
