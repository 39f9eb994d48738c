import { readFileSync } from "node:fs";
import type { VendorRequest } from "#lib/connectors/sdk/vendor.fixture";
import { isJsonObject } from "#lib/support/json";

/** A parameter or a body field, as the vendor publishes it. */
export interface PublishedField {
  required?: true;
  deprecated?: true;
  /** The values that the vendor accepts. Missing if any value is accepted. */
  values?: readonly string[];
  /** The fields of the object, or of each object in the list. Missing if the vendor lists none. */
  fields?: PublishedFields;
}

export type PublishedFields = Readonly<Record<string, PublishedField>>;

export interface PublishedMethod {
  deprecated?: true;
  query?: PublishedFields;
  /** Missing if the vendor describes no body, or a body with any fields. */
  body?: PublishedFields;
}

/** A vendor's machine-readable facts about its API, reduced to what requests are checked against. */
export interface PublishedFacts {
  /** The document that `npm run vendor-facts` read, and the vendor's version. */
  source: { document: string; version: string };
  /** The methods, by HTTP method and path: `POST /v4/spreadsheets/{spreadsheetId}:batchUpdate`. */
  methods: Readonly<Record<string, PublishedMethod>>;
}

export function readPublishedFacts(vendor: string): PublishedFacts {
  return JSON.parse(readFileSync(`lib/connectors/vendors/${vendor}/published-facts.json`, "utf8"));
}

/** A request that a vendor received. */
export type SentRequest = Pick<VendorRequest, "method" | "path" | "query" | "json">;

/** Finds the method that a request calls. If several match, returns the one with the fewest parameters in its path. */
function findMethod({ methods }: PublishedFacts, { method, path }: SentRequest): string | null {
  const fitting = Object.keys(methods).filter((key) => {
    const [verb, template = ""] = key.split(" ");
    return verb === method && patternOf(template).test(path);
  });
  const parameters = (key: string) => key.split("{").length;
  return fitting.sort((a, b) => parameters(a) - parameters(b))[0] ?? null;
}

function patternOf(template: string): RegExp {
  const parts = template.split(/\{[^{}]+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}

/**
 * Compares a request with the vendor's published facts.
 * @returns a sentence for each difference
 */
export function findDifferences(facts: PublishedFacts, request: SentRequest): string[] {
  const key = findMethod(facts, request);
  if (key === null) return [`${request.method} ${request.path} does not exist in ${facts.source.version}`];
  const { deprecated, query = {}, body } = facts.methods[key] ?? {};
  const sent = Object.fromEntries([...request.query.keys()].map((name) => [name, request.query.getAll(name)]));
  return [
    ...(deprecated ? [`${key} is deprecated`] : []),
    ...compareFields(`${key} query`, query, sent),
    ...(body === undefined ? [] : [request.json].flat().flatMap((item) => compareFields(`${key} body`, body, item))),
  ];
}

function compareFields(at: string, published: PublishedFields, sent: Readonly<Record<string, unknown>>): string[] {
  const missing = Object.entries(published)
    .filter(([name, { required }]) => required && !Object.hasOwn(sent, name))
    .map(([name]) => `${at}.${name} is required`);
  const differences = Object.entries(sent).flatMap(([name, value]) => {
    const field = Object.hasOwn(published, name) ? published[name] : undefined;
    return field === undefined ? [`${at}.${name} does not exist`] : compareField(`${at}.${name}`, field, value);
  });
  return [...missing, ...differences];
}

function compareField(at: string, { deprecated, values, fields }: PublishedField, sent: unknown): string[] {
  return [
    ...(deprecated ? [`${at} is deprecated`] : []),
    ...[sent].flat().flatMap((item) => {
      if (isJsonObject(item)) return fields === undefined ? [] : compareFields(at, fields, item);
      if (values === undefined || values.includes(String(item))) return [];
      return [`${at} does not accept ${String(item)}`];
    }),
  ];
}
