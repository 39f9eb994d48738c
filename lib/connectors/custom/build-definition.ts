import {
  type BuildFinding,
  BuildRefused,
  type CustomDefinition,
  definitionTooLarge,
} from "#lib/connectors/custom/custom-definition";
import { parseDocument } from "#lib/connectors/custom/parse-document";
import { readOperations } from "#lib/connectors/custom/read-operations";
import { suggestSettings } from "#lib/connectors/custom/suggest-settings";
import { BUILD_LIMITS, type CustomAuth, type ValidatedConnector } from "#lib/contract/connector";
import type { DescribedOperation } from "#lib/contract/inputs/connector-inputs";
import type { JsonObject } from "#lib/contract/json-schema";
import { isJsonObject } from "#lib/support/json";

export interface BuildSource {
  name: string;
  baseUrl: string;
  auth: CustomAuth;
  /** An OpenAPI document: an object, or JSON or YAML as text. */
  document: unknown;
  /** The URL from which the document was loaded. */
  documentUrl?: string | null;
}

export interface Built {
  definition: CustomDefinition;
  findings: BuildFinding[];
  suggested: ValidatedConnector["suggested"];
}

/**
 * Builds a connector from a document. Pure. A document that is too large or hostile is rejected before it costs
 * anything.
 * @throws BuildRefused
 */
export function buildDefinition({ name, baseUrl, auth, document: given, documentUrl = null }: BuildSource): Built {
  const document = parseDocument(given);
  const { operations, findings } = readOperations(document);
  const info = isJsonObject(document.info) ? document.info : {};
  const description = String(info.description ?? info.title ?? name)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 500);
  const definition = { description, baseUrl, auth, operations };
  if (Buffer.byteLength(JSON.stringify(definition)) > BUILD_LIMITS.definitionBytes) throw definitionTooLarge();
  return { definition, findings, suggested: suggestSettings(document, documentUrl) };
}

/** Builds a small OpenAPI document from operations described one by one, so that both inputs take the same path. */
export function documentOf(title: string, operations: readonly DescribedOperation[]): JsonObject {
  const paths: Record<string, JsonObject> = Object.create(null);
  for (const operation of operations) {
    const { name, title: summary, method, path, description, parameters, output } = operation;
    const item = paths[path] ?? {};
    paths[path] = item;
    const key = method.toLowerCase();
    if (Object.hasOwn(item, key)) {
      throw new BuildRefused("/operations", "repeated_operation", `${method} ${path} is described twice.`);
    }
    item[key] = {
      operationId: name,
      ...(summary === undefined ? {} : { summary }),
      ...(description === undefined ? {} : { description }),
      parameters: parameters ?? [],
      ...requestBodyOf(operation),
      responses: { 200: output ? { content: { "application/json": { schema: output } } } : {} },
    };
  }
  return { openapi: "3.1.0", info: { title }, paths: { ...paths } };
}

function requestBodyOf({ body, body_type = "application/json", body_required = true }: DescribedOperation): JsonObject {
  return body ? { requestBody: { required: body_required, content: { [body_type]: { schema: body } } } } : {};
}
