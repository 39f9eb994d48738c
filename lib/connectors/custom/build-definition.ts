import {
  BUILD_LIMITS,
  type BuildFinding,
  BuildRefused,
  type CustomAuth,
  type CustomDefinition,
} from "#lib/connectors/custom/custom-definition";
import { parseDocument } from "#lib/connectors/custom/parse-document";
import { readOperations } from "#lib/connectors/custom/read-operations";
import type { JsonObject } from "#lib/contract/json-schema";
import { isJsonObject } from "#lib/support/json";

export interface BuildSource {
  name: string;
  baseUrl: string;
  auth: CustomAuth;
  /** An OpenAPI document: an object, or JSON or YAML as text. */
  document: unknown;
}

export interface Built {
  definition: CustomDefinition;
  findings: BuildFinding[];
}

/**
 * A connector from a document. Pure: what is too large or hostile is refused before it costs anything.
 * @throws BuildRefused
 */
export function buildDefinition({ name, baseUrl, auth, document: given }: BuildSource): Built {
  const document = parseDocument(given);
  const { operations, findings } = readOperations(document);
  const info = isJsonObject(document.info) ? document.info : {};
  const description = String(info.description ?? info.title ?? name)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 500);
  const definition = { description, baseUrl, auth, operations };
  if (Buffer.byteLength(JSON.stringify(definition)) > BUILD_LIMITS.definitionBytes) {
    const message =
      "The connector would be larger than 4 MiB, its references resolved. Leave out paths you do not need.";
    throw new BuildRefused("/paths", "too_large", message);
  }
  return { definition, findings };
}

/** A small OpenAPI document from operations that were described one by one, so that both take the same way. */
export function documentOf(title: string, operations: readonly DescribedOperation[]): JsonObject {
  const paths: Record<string, JsonObject> = Object.create(null);
  for (const { name, method, path, description, parameters, body, output } of operations) {
    const item = paths[path] ?? {};
    paths[path] = item;
    const key = method.toLowerCase();
    if (Object.hasOwn(item, key)) {
      throw new BuildRefused("/operations", "repeated_operation", `${method} ${path} is described twice.`);
    }
    item[key] = {
      operationId: name,
      ...(description === undefined ? {} : { description }),
      parameters: parameters ?? [],
      ...(body ? { requestBody: { required: true, content: { "application/json": { schema: body } } } } : {}),
      responses: { 200: output ? { content: { "application/json": { schema: output } } } : {} },
    };
  }
  return { openapi: "3.1.0", info: { title }, paths: { ...paths } };
}

export interface DescribedOperation {
  name: string;
  method: string;
  path: string;
  description?: string | undefined;
  /** As OpenAPI describes parameters. */
  parameters?: JsonObject[] | undefined;
  /** JSON Schemas. */
  body?: JsonObject | undefined;
  output?: JsonObject | undefined;
}
