import { StepError } from "#lib/contract/step-error";
import { evaluateExpression } from "#lib/core/expressions/evaluate-expression";
import type { Expression } from "#lib/core/expressions/expression";
import { findWritten } from "#lib/core/expressions/places/find-written";
import {
  isDotSegment,
  isSeparated,
  segmentsOf,
  type UrlPlace,
  urlPlaceAfter,
} from "#lib/core/expressions/places/url-place";
import type { Template } from "#lib/core/expressions/scan-template";
import { spendCharacters, type TemplateBudget, writeText } from "#lib/core/expressions/template-budget";

/** One label, or a name of several labels. Letters of any script are a name that the URL parser converts. */
const HOST = /^[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)*$/u;
const HOST_AND_PORT = /^(?:[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)*|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/u;
const SCHEME = /^[a-z0-9+.-]*$/i;
const WHOLE_SCHEME = /^\s*[a-z][a-z0-9+.-]*$/i;
const IPV6 = /^[0-9A-Fa-f:.]+$/;
const PORT = /^\d{1,5}$/;
const SHOWN_CHARACTERS = 80;

/** A URL while it is written. */
interface Writing {
  url: string;
  place: UrlPlace;
  host: string;
  /** The segment of the path that is being written. */
  segment: string;
  /** The last expression whose value is in the segment. */
  source: string | null;
}

/**
 * Resolves a text that is a URL. Each value is written for its place, so that it can end neither its segment of the path
 * nor its parameter, nor lead to another host (RFC 3986, 2.2). The value at the start is the address itself, as in
 * `{{base}}/orders/{{id}}`. A value that `encode_url` returns is not encoded again, and one of `raw` is written as it is.
 * @throws StepError VALIDATION_ERROR naming the expression whose value its place can't hold
 */
export function resolveUrl({ parts }: Template, scope: Record<string, unknown>, budget: TemplateBudget): string {
  const writing: Writing = { url: "", place: "scheme", host: "", segment: "", source: null };
  let missing: string | null = null;
  for (const [at, part] of parts.entries()) {
    if (typeof part === "string") {
      spendCharacters(budget, part.length);
      write(writing, part);
      continue;
    }
    const [before, after] = [parts[at - 1], parts[at + 1]];
    const value = evaluateExpression(part.root, scope, budget);
    const written = findWritten(part.root, "url");
    const isAddress = writing.url.trim() === "";
    const isAsWritten = isAddress || written === "raw";
    if (isAddress && written !== "raw") assertScheme(part, value, after);
    if (isAsWritten)
      writeAsGiven(writing, { part, text: writeText(value, budget), hasMore: () => hasText(parts, at + 1) });
    else writeValue(writing, { part, value, isEncoded: written === "encoded", before, after }, budget);
    // Expressions side by side take what the branch before them produced: one of them has a value.
    const isAbsent = (value === null || value === undefined) && writing.place === "path" && !isAsWritten;
    const isFirst = before === undefined || typeof before === "string";
    missing = isAbsent && (isFirst || missing !== null) ? (missing ?? part.source) : null;
    if (missing !== null && (after === undefined || typeof after === "string")) {
      throw refusal(missing, "has no value, and a URL path needs one");
    }
  }
  endSegment(writing, "");
  return writing.url;
}

/** In `{{scheme}}://h/x`, the value at the start is no address, so it must not bring a host. */
function assertScheme(part: Expression, value: unknown, after: string | Expression | undefined): void {
  if (typeof after !== "string" || !/^:[/\\]/.test(after)) return;
  if (typeof value === "string" && WHOLE_SCHEME.test(value)) return;
  throw refusal(part.source, "must be a scheme such as https, because :// follows it");
}

interface GivenValue {
  part: Expression;
  text: string;
  /** Returns true if anything follows. */
  hasMore: () => boolean;
}

/** Writes a value that is the address, or that its author takes as it is. What follows must still reach the server. */
function writeAsGiven(writing: Writing, { part, text, hasMore }: GivenValue): void {
  const before = writing.place;
  write(writing, text);
  if (before === "fragment" || writing.place !== "fragment" || !hasMore()) return;
  throw refusal(part.source, "has a fragment (#), so what follows it would not be sent");
}

function hasText(parts: Template["parts"], from: number): boolean {
  return parts.some((part, at) => at >= from && (typeof part !== "string" || part.trim() !== ""));
}

/** Writes a text that is a part of the URL. */
function write(writing: Writing, text: string): void {
  if (writing.place !== "query" && writing.place !== "fragment") {
    const [first = "", ...rest] = segmentsOf(text);
    if (rest.length > 0) endSegment(writing, first);
    writing.segment = rest.at(-1) ?? writing.segment + first;
  }
  const before = writing.place;
  writing.place = urlPlaceAfter(before, text);
  if (writing.place === "host") writing.host = before === "host" ? writing.host + text : hostIn(before, text);
  writing.url += text;
}

/** Returns the host that starts in a text and reaches to its end. */
function hostIn(before: UrlPlace, text: string): string {
  const slash = Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\"));
  if (slash >= 0) return text.slice(slash + 1);
  return before === "scheme" ? text.slice(text.indexOf(":") + 1) : text;
}

/** Checks the segment that ends here. Segments that the author wrote stay as they are. */
function endSegment(writing: Writing, rest: string): void {
  const { source, segment, place } = writing;
  writing.source = null;
  if (source === null || place !== "path") return;
  const whole = segment + rest;
  if (whole.trim() === "") throw refusal(source, "is empty, and a segment of a URL path needs a value");
  if (isDotSegment(whole)) throw refusal(source, "makes a segment of dots, which leads to another path");
}

interface PlacedValue {
  part: Expression;
  value: unknown;
  /** True if a function has encoded the value for a URL. */
  isEncoded: boolean;
  before: string | Expression | undefined;
  after: string | Expression | undefined;
}

function writeValue(writing: Writing, placed: PlacedValue, budget: TemplateBudget): void {
  const { part, value, isEncoded } = placed;
  if (typeof value === "object" && value !== null && writing.place !== "query" && writing.place !== "fragment") {
    const kind = Array.isArray(value) ? "a list" : "an object";
    throw refusal(part.source, `is ${kind}, and this part of a URL takes a text, a number or a boolean`);
  }
  const text = writeText(value, budget);
  if (writing.place === "path" || writing.place === "query" || writing.place === "fragment") {
    // Of an encoded value, only a constant next to `??` has separators, which its author wrote.
    if (isEncoded && isSeparated(text)) {
      write(writing, text);
      return;
    }
    const encoded = isEncoded ? text : encodeURIComponent(text.toWellFormed());
    spendCharacters(budget, encoded.length - text.length);
    if (writing.place === "path") writing.source = part.source;
    writing.segment += encoded;
    writing.url += encoded;
    return;
  }
  const problem = writing.place === "scheme" ? schemeProblem(text) : hostProblem(writing, placed, text);
  if (problem !== null) throw refusal(part.source, problem);
  write(writing, text);
}

function schemeProblem(text: string): string | null {
  return SCHEME.test(text) ? null : "can't be a part of the scheme of a URL";
}

function hostProblem({ host }: Writing, { before, after }: PlacedValue, text: string): string | null {
  const next = typeof after === "string" ? after : "";
  if (/^[^/\\?#]*@/.test(next)) return "is a credential. Put credentials into a header, not into the URL";
  if (text === "" && host === "" && after !== undefined && typeof after !== "string") return null;
  if (host === "[" && next.startsWith("]")) return IPV6.test(text) ? null : "must be an IPv6 address";
  if (/:\d*$/.test(host)) return PORT.test(text) ? null : "must be the number of a port";
  const hint = "Use raw(…) if the value is more than that";
  if (host !== "" && before !== undefined && typeof before !== "string") {
    return `continues the host that the value before it gives. Write a slash between them. ${hint}`;
  }
  const isWhole = host === "" && /^(?:$|[/\\?#])/.test(next);
  if ((isWhole ? HOST_AND_PORT : HOST).test(text)) return null;
  return `must be a host name, because it is in the host of the URL. ${hint}`;
}

function refusal(source: string, problem: string): StepError {
  const shown = source.length > SHOWN_CHARACTERS ? `${source.slice(0, SHOWN_CHARACTERS - 1)}…` : source;
  return new StepError("VALIDATION_ERROR", `url: ${shown} ${problem}.`);
}
