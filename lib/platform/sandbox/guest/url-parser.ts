import { isDriveLetter, isSpecialScheme, type UrlRecord } from "#lib/platform/sandbox/guest/url-record";

export type StateName =
  | "schemeStart"
  | "scheme"
  | "noScheme"
  | "specialRelativeOrAuthority"
  | "pathOrAuthority"
  | "relative"
  | "relativeSlash"
  | "specialAuthoritySlashes"
  | "specialAuthorityIgnoreSlashes"
  | "authority"
  | "host"
  | "hostname"
  | "port"
  | "file"
  | "fileSlash"
  | "fileHost"
  | "pathStart"
  | "path"
  | "opaquePath"
  | "query"
  | "fragment";

/** What the states of the URL standard's basic parser share. */
export interface Parser {
  url: UrlRecord;
  base: UrlRecord | null;
  chars: string[];
  at: number;
  buffer: string;
  /** The part that a setter assigns to; null while a whole URL is read. */
  override: StateName | null;
  hasAtSign: boolean;
  hasPassword: boolean;
  isInBrackets: boolean;
}

/** `char` is "" at the end of the input. */
export type State = (parser: Parser, char: string) => StateName | "stay" | "done" | "fail";

/** Goes on in another state with the same character. */
export function again(parser: Parser, state: StateName): StateName {
  parser.at -= 1;
  return state;
}

export function isSpecial(parser: Parser): boolean {
  return isSpecialScheme(parser.url.scheme);
}

export function isSlash(parser: Parser, char: string): boolean {
  return char === "/" || (char === "\\" && isSpecial(parser));
}

export function endsAuthority(parser: Parser, char: string): boolean {
  return char === "" || char === "?" || char === "#" || isSlash(parser, char);
}

export function nextIs(parser: Parser, char: string): boolean {
  return parser.chars[parser.at + 1] === char;
}

export function takeFrom(parser: Parser, base: UrlRecord, parts: (keyof UrlRecord)[]): void {
  for (const part of parts) Reflect.set(parser.url, part, base[part]);
  if (typeof parser.url.path !== "string") parser.url.path = [...parser.url.path];
}

export function beginQuery(parser: Parser): StateName {
  parser.url.query = "";
  return "query";
}

export function beginFragment(parser: Parser): StateName {
  parser.url.fragment = "";
  return "fragment";
}

/** True where a drive letter of its own stands, as in `c:/`. */
export function startsWithDrive(parser: Parser): boolean {
  const [first = "", second = "", third = ""] = parser.chars.slice(parser.at, parser.at + 3);
  return isDriveLetter(first + second) && (third === "" || /[/\\?#]/.test(third));
}

export function appendSegment(parser: Parser, segment: string): void {
  if (typeof parser.url.path !== "string") parser.url.path.push(segment);
}
