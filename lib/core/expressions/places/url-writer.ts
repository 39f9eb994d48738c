import { type PlacedValue, refusePiece } from "#lib/core/expressions/places/piece";
import {
  isDotSegment,
  isSeparated,
  segmentsOf,
  type UrlPlace,
  urlPlaceAfter,
} from "#lib/core/expressions/places/url-place";
import { spendCharacters, type TemplateBudget, writeText } from "#lib/core/expressions/template-budget";

/** One label, or a name of several labels. Letters of any script are a name that the URL parser converts. */
const HOST = /^[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)*$/u;
const HOST_AND_PORT = /^(?:[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)*|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/u;
const SCHEME = /^[a-z0-9+.-]*$/i;
const WHOLE_SCHEME = /^\s*[a-z][a-z0-9+.-]*$/i;
const IPV6 = /^[0-9A-Fa-f:.]+$/;
const PORT = /^\d{1,5}$/;
/** mailto, tel and the like: what follows the scheme is neither a host nor a path (RFC 3986, 1.2.2). */
const OPAQUE = /^\s*(?!(?:https?|ftp|wss?):)[a-z][a-z0-9+.-]*:(?![/\\])/i;
/** Links that run a program or are a page of their own. A picture is neither, except SVG. */
const SCRIPT = /^(?:javascript|vbscript|data(?!:image\/(?:png|jpe?g|gif|webp|avif|bmp)[;,])):/i;
/** What browsers ignore before and within a scheme. */
const IGNORED = /[\p{Cc}\s]/gu;

/** A URL while it is written. */
export interface UrlWriting {
  /** The field of the URL, for errors. */
  field: string;
  /**
   * True for a link that people follow. It may lead to a folder, has a scheme of any kind, and says with an empty text that
   * a value is missing.
   */
  isLink: boolean;
  url: string;
  place: UrlPlace;
  host: string;
  /** The segment of the path that is being written. */
  segment: string;
  /** The last expression whose value is in the segment. */
  source: string | null;
}

/** A value with what is next to it. */
export interface UrlValue extends PlacedValue {
  isAfterValue: boolean;
  isBeforeValue: boolean;
  /** The author's text that follows. */
  next: string;
}

export function startUrl(field: string, { isLink }: { isLink: boolean }): UrlWriting {
  return { field, isLink, url: "", place: "scheme", host: "", segment: "", source: null };
}

/** True before anything is written: a value is the address itself then. */
export function isUrlStart({ url }: UrlWriting): boolean {
  return url.trim() === "";
}

/** Writes a text that is a part of the URL. */
export function writeUrl(writing: UrlWriting, text: string): void {
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

/** Ends the URL, whose last segment is checked like the others. */
export function endUrl(writing: UrlWriting): void {
  endSegment(writing, "");
}

/** Checks the segment that ends here. Segments that the author wrote stay as they are. */
function endSegment(writing: UrlWriting, rest: string): void {
  const { source, segment, place, field } = writing;
  writing.source = null;
  if (source === null || place !== "path") return;
  const whole = segment + rest;
  if (whole.trim() === "" && !writing.isLink) {
    throw refusePiece(field, source, "is empty, and a segment of a URL path needs a value");
  }
  if (isDotSegment(whole)) {
    throw refusePiece(field, source, "makes a segment of dots, which leads to another path");
  }
}

/**
 * Writes a value for its place in the URL.
 * @returns what is written
 * @throws StepError VALIDATION_ERROR naming the expression whose value its place can't hold
 */
export function writeUrlValue(writing: UrlWriting, placed: UrlValue, budget: TemplateBudget): string {
  const { value, source, isEncoded = false } = placed;
  const isData = writing.place === "query" || writing.place === "fragment" || writing.isLink;
  if (typeof value === "object" && value !== null && !isData) {
    const kind = Array.isArray(value) ? "a list" : "an object";
    const problem = `is ${kind}, and this part of a URL takes a text, a number or a boolean`;
    throw refusePiece(writing.field, source, problem);
  }
  const text = writeText(value, budget);
  if (isUrlStart(writing)) return writeAddress(writing, placed, text);
  if (writing.isLink && OPAQUE.test(writing.url)) return writeOpaque(writing, placed, text, budget);
  const isRelative = writing.isLink && writing.place === "scheme";
  if (isRelative || writing.place === "path" || writing.place === "query" || writing.place === "fragment") {
    // Of an encoded value, only a constant next to `??` has separators, which its author wrote.
    if (isEncoded && isSeparated(text)) {
      writeUrl(writing, text);
      return text;
    }
    const encoded = isEncoded ? text : encodeURIComponent(text.toWellFormed());
    spendCharacters(budget, encoded.length - text.length);
    if (writing.place === "path") writing.source = source;
    writing.segment += encoded;
    writing.url += encoded;
    return encoded;
  }
  const problem = writing.place === "scheme" ? schemeProblem(text) : hostProblem(writing, placed, text);
  if (problem !== null) throw refusePiece(writing.field, source, problem);
  writeUrl(writing, text);
  return text;
}

/** In `{{scheme}}://h/x`, the value at the start is no address, so it must not bring a host. */
export function assertScheme(field: string, { value, source }: PlacedValue, next: string): void {
  if (!/^:[/\\]/.test(next)) return;
  if (typeof value === "string" && WHOLE_SCHEME.test(value)) return;
  throw refusePiece(field, source, "must be a scheme such as https, because :// follows it");
}

/** Writes the value at the start, which is the address itself. */
function writeAddress(writing: UrlWriting, { source, next }: UrlValue, text: string): string {
  assertScheme(writing.field, { value: text, source }, next);
  if (writing.isLink && SCRIPT.test(text.replace(IGNORED, ""))) {
    throw refusePiece(writing.field, source, "is a script and not a link. Use raw(…) if you mean it");
  }
  writeUrl(writing, text);
  return text;
}

function writeOpaque(writing: UrlWriting, { isEncoded }: UrlValue, text: string, budget: TemplateBudget): string {
  const encoded = isEncoded
    ? text
    : encodeURIComponent(text.toWellFormed()).replaceAll("%40", "@").replaceAll("%2B", "+");
  spendCharacters(budget, Math.max(0, encoded.length - text.length));
  writing.url += encoded;
  return encoded;
}

function schemeProblem(text: string): string | null {
  return SCHEME.test(text) ? null : "can't be a part of the scheme of a URL";
}

function hostProblem({ host }: UrlWriting, { isAfterValue, isBeforeValue, next }: UrlValue, text: string) {
  if (/^[^/\\?#]*@/.test(next)) return "is a credential. Put credentials into a header, not into the URL";
  if (text === "" && host === "" && isBeforeValue) return null;
  if (host === "[" && next.startsWith("]")) return IPV6.test(text) ? null : "must be an IPv6 address";
  if (/:\d*$/.test(host)) return PORT.test(text) ? null : "must be the number of a port";
  const hint = "Use raw(…) if the value is more than that";
  if (host !== "" && isAfterValue) {
    return `continues the host that the value before it gives. Write a slash between them. ${hint}`;
  }
  const isWhole = host === "" && /^(?:$|[/\\?#])/.test(next);
  if ((isWhole ? HOST_AND_PORT : HOST).test(text)) return null;
  return `must be a host name, because it is in the host of the URL. ${hint}`;
}
