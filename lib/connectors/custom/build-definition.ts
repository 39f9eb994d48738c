import { type BuildFinding, BuildRefused, type CustomDefinition } from "#lib/connectors/custom/custom-definition";
import {
  countPaths,
  countTags,
  type ListedOperation,
  listOperations,
} from "#lib/connectors/custom/document/list-operations";
import { parseDocument } from "#lib/connectors/custom/document/parse-document";
import { selectOperations } from "#lib/connectors/custom/document/select-operations";
import { locatePointers } from "#lib/connectors/custom/locate/locate-pointers";
import { readOperations } from "#lib/connectors/custom/read-operations";
import { suggestSettings } from "#lib/connectors/custom/suggest-settings";
import type { CustomAuth, DocumentSummary, Selection, ValidatedConnector } from "#lib/contract/connector/connector";
import type { DescribedOperation } from "#lib/contract/connector/connector-inputs";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject } from "#lib/support/json";

const DESCRIPTION_CHARACTERS = 500;
const TITLE_CHARACTERS = 120;
/** For the check of a document that names no server. Nothing is built with it. */
const UNKNOWN_BASE_URL = "https://unknown.invalid";
/** A document can have a tag for every operation. */
const GROUPS_MAX = 500;
/** The most findings to report; a longer list helps no one, and a document can have thousands of them. */
const FINDINGS_MAX = 200;

export interface BuildSource {
  name: string;
  /** Null for the first server of the document. */
  baseUrl: string | null;
  auth: CustomAuth;
  /** An OpenAPI document: an object, or JSON or YAML as text or bytes. */
  document: unknown;
  /** The operations to build; null for all of them. */
  select?: Selection | null;
  /** Whether the summary lists every operation of the document. */
  list?: boolean;
  /** The URL from which the document was loaded. */
  documentUrl?: string | null;
}

export interface Built {
  definition: CustomDefinition;
  findings: BuildFinding[];
  suggested: ValidatedConnector["suggested"];
  summary: DocumentSummary;
}

/**
 * Builds a connector from a document. Pure. A document that is too large or hostile is rejected before it costs
 * anything.
 * @throws BuildRefused
 */
export function buildDefinition({
  name,
  baseUrl: givenUrl,
  auth,
  document: given,
  documentUrl = null,
  select = null,
  list = false,
}: BuildSource): Built {
  const { document, format, text, faults: unread } = parseDocument(given);
  const { listed, faults } = listOperations(document);
  const [tags, paths] = [countTags(listed).slice(0, GROUPS_MAX), countPaths(listed).slice(0, GROUPS_MAX)];
  const summary = { format, operations: listed.length, tags, paths, ...(list ? { list: describeAll(listed) } : {}) };
  try {
    const chosen = selectOperations(listed, select);
    const suggested = suggestSettings(document, documentUrl);
    const baseUrl = givenUrl ?? suggested.base_url ?? UNKNOWN_BASE_URL;
    const { operations, findings } = readOperations(document, chosen, { baseUrl, auth }, faults);
    const definition = { description: describe(document, name), baseUrl, auth, operations };
    return {
      definition,
      findings: withPlaces([...unread, ...findings].slice(0, FINDINGS_MAX), text),
      suggested,
      summary,
    };
  } catch (error) {
    if (!(error instanceof BuildRefused)) throw error;
    Object.assign(error.finding, withPlaces([error.finding], text)[0]);
    error.summary = summary;
    throw error;
  }
}

function describeAll(listed: readonly ListedOperation[]): DocumentSummary["list"] {
  return listed.slice(0, LIMITS.listedOperations).map(({ name, method, path, operation, tags }) => {
    const { summary } = operation;
    const title =
      typeof summary === "string" && summary.trim() !== "" ? summary.trim().slice(0, TITLE_CHARACTERS) : name;
    return { operation: name, name: title, method: method.toUpperCase(), path, tags };
  });
}

function describe({ info }: JsonObject, name: string): string {
  const { description, title } = isJsonObject(info) ? info : {};
  return String(description ?? title ?? name)
    .slice(0, 4 * DESCRIPTION_CHARACTERS)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, DESCRIPTION_CHARACTERS);
}

/** Adds the places in the source text, if there is one. */
function withPlaces(findings: BuildFinding[], text: string | null): BuildFinding[] {
  if (text === null || findings.length === 0) return findings;
  const places = locatePointers(
    text,
    findings.map(({ pointer }) => pointer),
  );
  return findings.map((finding, index) => ({ ...finding, ...(finding.line === undefined ? places[index] : {}) }));
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
      ...(operation.server === undefined ? {} : { servers: [{ url: operation.server }] }),
      responses: { 200: output ? { content: { "application/json": { schema: output } } } : {} },
    };
  }
  return { openapi: "3.1.0", info: { title }, paths: { ...paths } };
}

function requestBodyOf(described: DescribedOperation): JsonObject {
  const { body, body_type = "application/json", body_required = true, body_encoding, upload } = described;
  if (!body) return {};
  const mediaOf = (schema: JsonObject, encoding: JsonObject | undefined) => ({ schema, ...(encoding && { encoding }) });
  const content = {
    [body_type]: mediaOf(body, body_encoding),
    ...(upload ? { [upload.type]: mediaOf(upload.schema, upload.encoding) } : {}),
  };
  return { requestBody: { required: body_required, content } };
}
