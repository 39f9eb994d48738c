import {
  type BuildFinding,
  BuildRefused,
  below,
  type CustomOperation,
  definitionTooLarge,
  toFinding,
} from "#lib/connectors/custom/custom-definition";
import { readParameters } from "#lib/connectors/custom/read-parameters";
import { resolveReference, resolveSchema } from "#lib/connectors/custom/resolve-schema";
import { BUILD_LIMITS, METHODS } from "#lib/contract/connector";
import type { JsonObject } from "#lib/contract/json-schema";
import { isJsonObject } from "#lib/support/json";

const TEXT_CHARACTERS = 500;
const BODY_TYPES = /^(application\/(?:[a-z0-9.+-]+\+)?json|application\/x-www-form-urlencoded|text\/[a-z0-9.+-]+)$/;

interface Found {
  method: CustomOperation["method"];
  path: string;
  item: JsonObject;
  operation: JsonObject;
  pointer: string;
}

/**
 * Reads the operations of an OpenAPI document and reports the parts that cannot be used.
 * @throws BuildRefused
 */
export function readOperations(document: JsonObject): { operations: CustomOperation[]; findings: BuildFinding[] } {
  const findings: BuildFinding[] = [];
  const found = findAll(document);
  if (found.length === 0)
    throw new BuildRefused("/paths", "no_operations", "The document describes no operations under paths.");
  if (found.length > BUILD_LIMITS.operations) {
    const message = `The document describes ${found.length} operations, but a connector can have only ${BUILD_LIMITS.operations}. Leave out the paths you do not need.`;
    throw new BuildRefused("/paths", "too_many_operations", message);
  }
  if (document.webhooks !== undefined) {
    findings.push(toFinding("left_out", "/webhooks", "webhooks", "Webhooks are not operations and were left out."));
  }
  const names = new Set<string>();
  let characters = 0;
  const operations = found.flatMap((one) => {
    const operation = readOne(document, one, names, findings);
    // A small document can unfold to a large connector, so reading stops as soon as it is too large, not at the end.
    characters += JSON.stringify(operation).length;
    if (characters > BUILD_LIMITS.definitionBytes) throw definitionTooLarge();
    return operation ?? [];
  });
  if (operations.length > 0) return { operations, findings };
  throw new BuildRefused(
    "/paths",
    "no_operations",
    `None of the ${found.length} operations can be used. ${findings[0]?.message}`,
  );
}

function findAll(document: JsonObject): Found[] {
  const paths = isJsonObject(document.paths) ? document.paths : {};
  return Object.entries(paths).flatMap(([path, raw]) => {
    const at = below("/paths", path);
    const item = resolveReference(document, raw, at);
    if (!path.startsWith("/") || !isJsonObject(item)) return [];
    return METHODS.flatMap((method) => {
      const operation = item[method];
      return isJsonObject(operation) ? [{ method, path, item, operation, pointer: below(at, method) }] : [];
    });
  });
}

function readOne(
  document: JsonObject,
  found: Found,
  names: Set<string>,
  findings: BuildFinding[],
): CustomOperation | null {
  const { method, path, operation, pointer } = found;
  const leftOut = (code: string, message: string, at = pointer) => {
    findings.push(toFinding("left_out", at, code, message));
    return null;
  };
  const { groups, required } = readParameters(document, found, findings);
  const missing = [...path.matchAll(/\{([^{}]+)\}/g)].find(([, name]) => !required.includes(`path.${name}`));
  if (missing) return leftOut("undeclared_parameter", `The path parameter ${missing[0]} is not declared.`);
  const body = resolveReference(document, operation.requestBody, below(pointer, "requestBody"));
  const content = readContent(body);
  const isBodyRequired = isJsonObject(body) && body.required === true;
  if (isJsonObject(body) && !content) {
    const message = "The body is neither JSON, a form nor text.";
    leftOut("body_type", message, below(pointer, "requestBody"));
    if (isBodyRequired) return leftOut("body_type", `The operation was left out: ${message}`);
  }
  const name = uniqueName(operation.operationId, method, path, names);
  if (content)
    groups.body = resolveSchema(document, content.schema, contentAt(pointer, "requestBody", content.type), findings);
  if (content && isBodyRequired) required.push("body");
  if (operation.callbacks !== undefined) leftOut("callbacks", "Callbacks were left out.", below(pointer, "callbacks"));
  return {
    name,
    title: text(operation.summary) || name,
    description: text(operation.description) || text(operation.summary) || `${method.toUpperCase()} ${path}`,
    method,
    path,
    bodyType: content?.type ?? null,
    required,
    paramsSchema: paramsSchema(groups, required),
    outputSchema: readOutput(document, operation, pointer, findings),
  };
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
  const content = readContent(resolveReference(document, responses[status], at));
  return content ? resolveSchema(document, content.schema, below(at, "content"), findings) : {};
}

function contentAt(pointer: string, part: string, type: string): string {
  return below(below(below(below(pointer, part), "content"), type), "schema");
}

/** Picks the media type to send or read: JSON first, then forms, then text. */
function readContent(holder: unknown): { type: string; schema: unknown } | null {
  if (!isJsonObject(holder) || !isJsonObject(holder.content)) return null;
  const { content } = holder;
  const rank = (type: string) => (/json$/.test(mime(type)) ? 0 : mime(type).startsWith("text/") ? 2 : 1);
  const [type] = Object.keys(content)
    .filter((key) => BODY_TYPES.test(mime(key)))
    .sort((a, b) => rank(a) - rank(b));
  const media = type === undefined ? null : content[type];
  return type !== undefined && isJsonObject(media) ? { type: mime(type), schema: media.schema } : null;
}

function mime(type: string): string {
  return type.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Names an operation by operationId, or by method and path. A duplicate name gets a number. */
function uniqueName(id: unknown, method: string, path: string, names: Set<string>): string {
  const raw = typeof id === "string" && id.trim() !== "" ? id : `${method}_${path}`;
  const base =
    raw
      .slice(0, TEXT_CHARACTERS)
      .replace(/[^A-Za-z0-9.-]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, 90) || method;
  let name = base;
  for (let count = 2; names.has(name); count += 1) name = `${base}_${count}`;
  names.add(name);
  return name;
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
