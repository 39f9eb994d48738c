import { BUILD_LIMITS, CONNECTOR_SLUG, type CustomAuth } from "#lib/contract/connector/connector";
import type { ConnectorSource } from "#lib/contract/connector/connector-inputs";
import { LIMITS } from "#lib/contract/limits";
import { readTypedJson } from "#lib/core/input/read-typed-json";
import { formatBytes } from "#lib/support/format/format-number";
import { isJsonObject } from "#lib/support/json";
import { type HandOperation, toDescribed } from "@/components/features/connectors/hand-operations";

export const SOURCE_KINDS = ["document", "address", "hand"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** What a request has in addition to a document: the settings and the chosen operations. */
const REST_BYTES = 65_536;

/** The largest document that is pasted, in words. */
export const TEXT_MAX = formatBytes(LIMITS.bodyBytes);

/** Where the operations come from, as typed. */
export interface TypedSource {
  kind: SourceKind;
  text: string;
  /** An uploaded document that is too large for the editor, compressed. */
  file: { name: string; gzip: string } | null;
  url: string;
  hand: readonly HandOperation[];
}

/** The connector's name and settings. */
export interface ConnectorSettings {
  slug: string;
  name: string;
  baseUrl: string;
  auth: CustomAuth;
}

type Source = Pick<ConnectorSource, "openapi" | "openapi_gzip" | "openapi_url" | "operations" | "select">;

export interface ReadSource {
  /** Returns the part of the source that can be sent, or null if there is none yet or it has problems. */
  source: Source | null;
  problems: string[];
}

export function readSource({ kind, text, file, url, hand }: TypedSource): ReadSource {
  if (kind === "document") return file === null ? readText(text) : readFile(file.gzip);
  if (kind === "address") {
    if (url.trim() === "") return { source: null, problems: [] };
    return isAddress(url)
      ? { source: { openapi_url: url.trim() }, problems: [] }
      : { source: null, problems: ["The URL must start with https:// or http://."] };
  }
  const named = hand.filter(({ name }) => name.trim() !== "");
  const described = named.map(toDescribed);
  const problems = described.flatMap((item) => item.problems);
  if (named.length === 0 || problems.length > 0) return { source: null, problems };
  return { source: { operations: described.map(({ operation }) => operation) }, problems };
}

function readFile(gzip: string): ReadSource {
  if (gzip.length <= LIMITS.bodyBytes - REST_BYTES) return { source: { openapi_gzip: gzip }, problems: [] };
  const message = `The document is larger than ${TEXT_MAX} even when it is compressed. Publish it and enter its URL instead.`;
  return { source: null, problems: [message] };
}

/** Limits what is built to the chosen operations. */
export function withSelection({ source, problems }: ReadSource, operations: readonly string[]): ReadSource {
  if (source === null || operations.length === 0) return { source, problems };
  const { operations: most } = BUILD_LIMITS;
  if (operations.length <= most) return { source: { ...source, select: { operations: [...operations] } }, problems };
  return { source: null, problems: [`${operations.length} operations are chosen. Choose up to ${most}.`] };
}

/**
 * A JSON document is sent as a JSON value: as a string it would grow by a backslash for every quotation mark. One with a
 * number that would be changed, such as the bound of an int64, is sent as it is.
 */
function readText(text: string): ReadSource {
  if (text.trim() === "") return { source: null, problems: [] };
  if (new Blob([text]).size > LIMITS.bodyBytes) {
    const message = `The document is larger than ${TEXT_MAX}. Upload it as a file, or enter its URL.`;
    return { source: null, problems: [message] };
  }
  const { value } = readTypedJson(text);
  return { source: { openapi: isJsonObject(value) ? value : text }, problems: [] };
}

/** Returns the input to check: only the settings that are valid so far. */
export function checkInput(source: Source, { slug, name, baseUrl, auth }: ConnectorSettings): Partial<ConnectorSource> {
  return {
    ...source,
    auth,
    ...(CONNECTOR_SLUG.test(slug) ? { slug } : {}),
    ...(name.trim() === "" ? {} : { name: name.trim() }),
    ...(isAddress(baseUrl) ? { base_url: baseUrl.trim() } : {}),
  };
}

/** Turns `Orders API (v2)` into orders-api-v2. */
export function slugOf(name: string): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "");
  return words.slice(0, 40).replace(/-+$/, "");
}

function isAddress(text: string): boolean {
  const trimmed = text.trim();
  return /^https?:\/\//.test(trimmed) && URL.canParse(trimmed);
}
