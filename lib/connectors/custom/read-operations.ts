import {
  type BuildFinding,
  BuildRefused,
  below,
  type CustomOperation,
  toFinding,
} from "#lib/connectors/custom/custom-definition";
import type { ListedOperation } from "#lib/connectors/custom/document/list-operations";
import { fitOperations } from "#lib/connectors/custom/fit-operations";
import { readParameters } from "#lib/connectors/custom/read-parameters";
import { readRequestBody } from "#lib/connectors/custom/read-request-body";
import { readServer, rootServer, type ServerSettings } from "#lib/connectors/custom/read-server";
import { resolveReference } from "#lib/connectors/custom/resolve-reference";
import { resolveSchema } from "#lib/connectors/custom/resolve-schema";
import { sentByConnection } from "#lib/connectors/custom/sent-by-connection";
import { mimeOf } from "#lib/connectors/http/body/mime-of";
import type { CustomAuth } from "#lib/contract/connector/connector";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject } from "#lib/support/json";

const TEXT_CHARACTERS = 500;
/** Of the examples for a place or the body: 200 operations with the most have a few hundred KiB. */
const EXAMPLE_CHARACTERS = 1_000;
const RESPONSE_TYPES =
  /^(application\/(?:[a-z0-9.+*-]+\+)?json|application\/x-www-form-urlencoded|text\/[a-z0-9.+-]+)$/;

/** What the settings of a connector decide about its operations. */
export interface OperationSettings {
  baseUrl: string;
  auth: CustomAuth;
}

interface ReadSettings extends ServerSettings {
  sent: ReadonlySet<string>;
}

/**
 * Reads operations of an OpenAPI document and reports the parts that cannot be used. An operation that cannot be called
 * is left out.
 * @param faults what is already known to be unusable
 * @throws BuildRefused if none is left
 */
export function readOperations(
  document: JsonObject,
  chosen: readonly ListedOperation[],
  given: OperationSettings,
  faults: readonly BuildFinding[],
): { operations: CustomOperation[]; findings: BuildFinding[] } {
  const findings = [...faults];
  const settings = { ...given, sent: sentByConnection(document, given.auth), root: rootServer(document) };
  if (chosen.length === 0) throw noOperations("The document describes no operations under paths.", findings);
  if (document.webhooks !== undefined) {
    findings.push(toFinding("left_out", "/webhooks", "webhooks", "Webhooks are not operations and were left out."));
  }
  const operations = chosen.flatMap((one) => readUnlessFaulty(document, one, findings, settings) ?? []);
  if (operations.length > 0) return { operations: fitOperations(operations), findings };
  throw noOperations(`None of the ${chosen.length} operations can be used.`, findings);
}

/** Names the first reason. */
function noOperations(message: string, findings: readonly BuildFinding[]): BuildRefused {
  const fault = findings.find(({ code }) => code !== "webhooks");
  if (!fault) return new BuildRefused("/paths", "no_operations", message);
  return new BuildRefused(fault.pointer, fault.code, `${message} ${fault.message}`);
}

function readUnlessFaulty(
  document: JsonObject,
  found: ListedOperation,
  findings: BuildFinding[],
  settings: ReadSettings,
): CustomOperation | null {
  try {
    return readOne(document, found, findings, settings);
  } catch (error) {
    if (!(error instanceof BuildRefused)) throw error;
    findings.push({ ...error.finding, severity: "left_out" });
    return null;
  }
}

function readOne(
  document: JsonObject,
  found: ListedOperation,
  findings: BuildFinding[],
  settings: ReadSettings,
): CustomOperation | null {
  const { name, method, path, item, operation, pointer } = found;
  // A document in several files refers to its operations.
  resolveReference(document, operation, pointer);
  const leftOut = (code: string, message: string, at = pointer) => {
    findings.push(toFinding("left_out", at, code, message));
    return null;
  };
  const { groups, required, wire, examples } = readParameters(document, found, findings, settings.sent);
  const missing = [...path.matchAll(/\{([^{}]+)\}/g)].find(([, name]) => !required.includes(`path.${name}`));
  if (missing) return leftOut("undeclared_parameter", `The path parameter ${missing[0]} is not declared.`);
  const requestBody = resolveReference(document, operation.requestBody, below(pointer, "requestBody"));
  const body = readRequestBody(document, requestBody, below(pointer, "requestBody"), findings);
  const isBodyRequired = isJsonObject(requestBody) && requestBody.required === true;
  if (isJsonObject(requestBody) && !body) {
    const message = "The body has no media type that can be sent.";
    leftOut("body_type", message, below(pointer, "requestBody"));
    if (isBodyRequired) return leftOut("body_type", `The operation was left out: ${message}`);
  }
  if (body) groups.body = body.upload ? choiceOf(body, body.upload) : body.schema;
  if (body && isBodyRequired) required.push("body");
  const server = readServer({ item, operation }, settings);
  if (operation.callbacks !== undefined) leftOut("callbacks", "Callbacks were left out.", below(pointer, "callbacks"));
  return {
    name,
    title: text(operation.summary) || name,
    description: text(operation.description) || text(operation.summary) || `${method.toUpperCase()} ${path}`,
    method,
    path,
    ...(server === null ? {} : { server }),
    bodyType: body?.type ?? null,
    ...(body?.upload ? { upload: { type: body.upload.type, wire: body.upload.wire } } : {}),
    required,
    ...withExample({ ...examples, ...(body?.example === undefined ? {} : { body: body.example }) }),
    wire: [...wire, ...(body?.wire ?? [])],
    paramsSchema: paramsSchema(groups, required),
    outputSchema: readOutput(document, operation, pointer, findings),
  };
}

/** Keeps the examples that are small. */
function withExample(examples: JsonObject): { example?: JsonObject } {
  const small = Object.entries(examples).filter(([, value]) => JSON.stringify(value).length <= EXAMPLE_CHARACTERS);
  return small.length === 0 ? {} : { example: Object.fromEntries(small) };
}

/** The order is that of `splitBody`. */
function choiceOf(
  body: { type: string; schema: JsonObject },
  upload: { type: string; schema: JsonObject },
): JsonObject {
  const description = `Sent as ${body.type}, or as ${upload.type} if it contains a file.`;
  return { description, anyOf: [body.schema, upload.schema] };
}

function paramsSchema(groups: JsonObject, required: string[]): JsonObject {
  const needed = [...new Set(required.map((name) => name.split(".")[0] ?? ""))];
  return { type: "object", properties: groups, required: needed };
}

function readOutput(
  document: JsonObject,
  operation: JsonObject,
  pointer: string,
  findings: BuildFinding[],
): JsonObject {
  const responses = isJsonObject(operation.responses) ? operation.responses : {};
  const status = Object.keys(responses).find((key) => /^2/.test(key)) ?? "default";
  const at = below(below(pointer, "responses"), status);
  const content = readContent(readResponse(document, responses[status], at, findings));
  if (!content) return {};
  const schemaAt = below(below(below(at, "content"), content.key), "schema");
  return resolveSchema(document, content.schema, schemaAt, findings);
}

/** An operation can be called although no one knows what it answers. */
function readResponse(document: JsonObject, response: unknown, pointer: string, findings: BuildFinding[]): unknown {
  try {
    return resolveReference(document, response, pointer);
  } catch (error) {
    if (!(error instanceof BuildRefused)) throw error;
    findings.push({ ...error.finding, severity: "left_out" });
    return null;
  }
}

/** Picks the media type to read: JSON first, then forms, then text. */
function readContent(holder: unknown): { key: string; schema: unknown } | null {
  if (!isJsonObject(holder) || !isJsonObject(holder.content)) return null;
  const { content } = holder;
  const rank = (type: string) => (/json$/.test(mimeOf(type)) ? 0 : mimeOf(type).startsWith("text/") ? 2 : 1);
  const [key] = Object.keys(content)
    .filter((type) => RESPONSE_TYPES.test(mimeOf(type)))
    .sort((a, b) => rank(a) - rank(b));
  const media = key === undefined ? null : content[key];
  return key !== undefined && isJsonObject(media) ? { key, schema: media.schema } : null;
}

function text(value: unknown): string {
  if (typeof value !== "string") return "";
  // A longer run of white space contains nothing to read.
  return value
    .slice(0, 4 * TEXT_CHARACTERS)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, TEXT_CHARACTERS);
}
