/** A part of a URL, as it is written from left to right. */
export type UrlPlace = "scheme" | "slashes" | "host" | "path" | "query" | "fragment";

/**
 * Follows a URL from left to right the way the WHATWG parser reads one of http: a backslash is a slash, and any number of
 * slashes follows the scheme.
 */
export function urlPlaceAfter(place: UrlPlace, text: string): UrlPlace {
  let current = place;
  for (const character of text) current = next(current, character);
  return current;
}

function next(place: UrlPlace, character: string): UrlPlace {
  const isSlash = character === "/" || character === "\\";
  switch (place) {
    case "scheme":
      if (character === ":") return "slashes";
      return isSlash || character === "?" || character === "#" ? afterHost(character) : "scheme";
    case "slashes":
      return isSlash || isRemoved(character) ? "slashes" : next("host", character);
    case "host":
      return isSlash || character === "?" || character === "#" ? afterHost(character) : "host";
    case "path":
      return character === "?" || character === "#" ? afterHost(character) : "path";
    case "query":
      return character === "#" ? "fragment" : "query";
    default:
      return "fragment";
  }
}

function afterHost(character: string): UrlPlace {
  if (character === "?") return "query";
  return character === "#" ? "fragment" : "path";
}

/** The URL parser removes tabs and line breaks, wherever they are. */
function isRemoved(character: string): boolean {
  return character === "\t" || character === "\n" || character === "\r";
}

const SEPARATOR = /[/\\?#]/;
const REMOVED = /[\t\n\r]/g;
/**
 * One or two dots, encoded any number of times. Java servers cut the parameters of a segment (RFC 3986, 3.3) before they
 * remove dots, so `..;v=1` is a segment of dots.
 */
const DOTS = /^(?:\.|%(?:25)*2e){1,2}(?:(?:;|%(?:25)*3b).*)?$/is;

/** Splits a text of the path at the characters that end a segment. */
export function segmentsOf(text: string): string[] {
  return text.split(SEPARATOR);
}

/** Returns true for a text that has more than one segment. */
export function isSeparated(text: string): boolean {
  return SEPARATOR.test(text);
}

/** Returns true for a segment that leads to another path, however often a server decodes it. */
export function isDotSegment(segment: string): boolean {
  return DOTS.test(segment.replace(REMOVED, ""));
}
