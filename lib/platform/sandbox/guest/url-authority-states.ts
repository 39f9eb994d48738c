import { ENCODE, percentEncode } from "#lib/platform/sandbox/guest/percent-encoding";
import { parseHost } from "#lib/platform/sandbox/guest/url-host";
import {
  again,
  beginFragment,
  beginQuery,
  endsAuthority,
  isSlash,
  isSpecial,
  nextIs,
  type Parser,
  type State,
  takeFrom,
} from "#lib/platform/sandbox/guest/url-parser";
import { defaultPort, hasCredentials, isSpecialScheme, shortenPath } from "#lib/platform/sandbox/guest/url-record";

const schemeStart: State = (parser, char) => {
  if (!/^[a-z]$/i.test(char)) return parser.override ? "fail" : again(parser, "noScheme");
  parser.buffer += char.toLowerCase();
  return "scheme";
};

const scheme: State = (parser, char) => {
  if (/^[a-z0-9+.-]$/i.test(char)) {
    parser.buffer += char.toLowerCase();
    return "stay";
  }
  if (char === ":") return parser.override ? changeScheme(parser) : endScheme(parser);
  if (parser.override) return "fail";
  parser.buffer = "";
  parser.at = -1;
  return "noScheme";
};

function changeScheme({ url, buffer }: Parser): "done" {
  if (isSpecialScheme(url.scheme) !== isSpecialScheme(buffer)) return "done";
  if (buffer === "file" && (hasCredentials(url) || url.port !== null)) return "done";
  if (url.scheme === "file" && !url.host) return "done";
  url.scheme = buffer;
  if (url.port === defaultPort(buffer)) url.port = null;
  return "done";
}

function endScheme(parser: Parser): ReturnType<State> {
  const { url, base, buffer } = parser;
  url.scheme = buffer;
  parser.buffer = "";
  if (buffer === "file") return "file";
  if (isSpecial(parser)) return base?.scheme === buffer ? "specialRelativeOrAuthority" : "specialAuthoritySlashes";
  if (nextIs(parser, "/")) {
    parser.at += 1;
    return "pathOrAuthority";
  }
  url.path = "";
  return "opaquePath";
}

const noScheme: State = (parser, char) => {
  const { base } = parser;
  if (!base || (typeof base.path === "string" && char !== "#")) return "fail";
  if (typeof base.path !== "string") return again(parser, base.scheme === "file" ? "file" : "relative");
  takeFrom(parser, base, ["scheme", "path", "query"]);
  return beginFragment(parser);
};

const specialRelativeOrAuthority: State = (parser, char) => {
  if (char !== "/" || !nextIs(parser, "/")) return again(parser, "relative");
  parser.at += 1;
  return "specialAuthorityIgnoreSlashes";
};

const pathOrAuthority: State = (parser, char) => (char === "/" ? "authority" : again(parser, "path"));

const relative: State = (parser, char) => {
  const { url, base } = parser;
  if (!base) return "fail";
  url.scheme = base.scheme;
  if (isSlash(parser, char)) return "relativeSlash";
  takeFrom(parser, base, ["username", "password", "host", "port", "path", "query"]);
  if (char === "?") return beginQuery(parser);
  if (char === "#") return beginFragment(parser);
  if (char === "") return "stay";
  url.query = null;
  shortenPath(url);
  return again(parser, "path");
};

const relativeSlash: State = (parser, char) => {
  if (isSpecial(parser) && isSlash(parser, char)) return "specialAuthorityIgnoreSlashes";
  if (char === "/") return "authority";
  if (parser.base) takeFrom(parser, parser.base, ["username", "password", "host", "port"]);
  return again(parser, "path");
};

const specialAuthoritySlashes: State = (parser, char) => {
  if (char !== "/" || !nextIs(parser, "/")) return again(parser, "specialAuthorityIgnoreSlashes");
  parser.at += 1;
  return "specialAuthorityIgnoreSlashes";
};

const specialAuthorityIgnoreSlashes: State = (parser, char) =>
  char === "/" || char === "\\" ? "stay" : again(parser, "authority");

const authority: State = (parser, char) => {
  if (char === "@") {
    if (parser.hasAtSign) parser.buffer = `%40${parser.buffer}`;
    parser.hasAtSign = true;
    readCredentials(parser);
    return "stay";
  }
  if (!endsAuthority(parser, char)) {
    parser.buffer += char;
    return "stay";
  }
  if (parser.hasAtSign && parser.buffer === "") return "fail";
  parser.at -= Array.from(parser.buffer).length + 1;
  parser.buffer = "";
  return "host";
};

function readCredentials(parser: Parser): void {
  for (const char of parser.buffer) {
    if (char === ":" && !parser.hasPassword) parser.hasPassword = true;
    else parser.url[parser.hasPassword ? "password" : "username"] += percentEncode(char, ENCODE.userinfo);
  }
  parser.buffer = "";
}

const host: State = (parser, char) => {
  const { url, override } = parser;
  if (override && url.scheme === "file") return again(parser, "fileHost");
  if (char === ":" && !parser.isInBrackets) {
    if (parser.buffer === "" || override === "hostname") return "fail";
    return endHost(parser) ? "port" : "fail";
  }
  if (!endsAuthority(parser, char)) {
    if (char === "[") parser.isInBrackets = true;
    if (char === "]") parser.isInBrackets = false;
    parser.buffer += char;
    return "stay";
  }
  if (parser.buffer === "" && isSpecial(parser)) return "fail";
  if (override && parser.buffer === "" && (hasCredentials(url) || url.port !== null)) return "fail";
  if (!endHost(parser)) return "fail";
  return override ? "done" : again(parser, "pathStart");
};

function endHost(parser: Parser): boolean {
  const parsed = parseHost(parser.buffer, isSpecial(parser));
  if (parsed === null) return false;
  parser.url.host = parsed;
  parser.buffer = "";
  return true;
}

const port: State = (parser, char) => {
  const { url, override } = parser;
  if (/^[0-9]$/.test(char)) {
    parser.buffer += char;
    return "stay";
  }
  if (!endsAuthority(parser, char) && !override) return "fail";
  if (parser.buffer === "") return override ? "fail" : again(parser, "pathStart");
  const number = Number(parser.buffer);
  if (number > 65_535) return "fail";
  url.port = number === defaultPort(url.scheme) ? null : number;
  parser.buffer = "";
  return override ? "done" : again(parser, "pathStart");
};

/** The states up to the end of the authority (URL standard, basic URL parser). */
export const AUTHORITY_STATES = {
  schemeStart,
  scheme,
  noScheme,
  specialRelativeOrAuthority,
  pathOrAuthority,
  relative,
  relativeSlash,
  specialAuthoritySlashes,
  specialAuthorityIgnoreSlashes,
  authority,
  host,
  hostname: host,
  port,
};
