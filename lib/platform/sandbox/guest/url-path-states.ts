import { ENCODE, percentEncode } from "#lib/platform/sandbox/guest/percent-encoding";
import { parseHost } from "#lib/platform/sandbox/guest/url-host";
import {
  again,
  appendSegment,
  beginFragment,
  beginQuery,
  isSlash,
  isSpecial,
  nextIs,
  type Parser,
  type State,
  startsWithDrive,
  takeFrom,
} from "#lib/platform/sandbox/guest/url-parser";
import { isDriveLetter, shortenPath } from "#lib/platform/sandbox/guest/url-record";

const file: State = (parser, char) => {
  const { url, base } = parser;
  url.scheme = "file";
  url.host = "";
  if (char === "/" || char === "\\") return "fileSlash";
  if (base?.scheme !== "file") return again(parser, "path");
  takeFrom(parser, base, ["host", "path", "query"]);
  if (char === "?") return beginQuery(parser);
  if (char === "#") return beginFragment(parser);
  if (char === "") return "stay";
  url.query = null;
  if (startsWithDrive(parser)) url.path = [];
  else shortenPath(url);
  return again(parser, "path");
};

const fileSlash: State = (parser, char) => {
  if (char === "/" || char === "\\") return "fileHost";
  const { url, base } = parser;
  if (base?.scheme === "file") {
    url.host = base.host;
    const drive = base.path[0] ?? "";
    if (!startsWithDrive(parser) && /^[a-z]:$/i.test(drive)) appendSegment(parser, drive);
  }
  return again(parser, "path");
};

const fileHost: State = (parser, char) => {
  const { url, override, buffer } = parser;
  if (!/^[/\\?#]?$/.test(char)) {
    parser.buffer += char;
    return "stay";
  }
  if (!override && isDriveLetter(buffer)) return again(parser, "path");
  const host = buffer === "" ? "" : parseHost(buffer, isSpecial(parser));
  if (host === null) return "fail";
  url.host = host === "localhost" ? "" : host;
  parser.buffer = "";
  return override ? "done" : again(parser, "pathStart");
};

const pathStart: State = (parser, char) => {
  const { override, url } = parser;
  if (isSpecial(parser)) return char === "/" || char === "\\" ? "path" : again(parser, "path");
  if (!override && char === "?") return beginQuery(parser);
  if (!override && char === "#") return beginFragment(parser);
  if (char !== "") return char === "/" ? "path" : again(parser, "path");
  if (override && url.host === null) appendSegment(parser, "");
  return "stay";
};

const path: State = (parser, char) => {
  const endsPath = !parser.override && (char === "?" || char === "#");
  if (char !== "" && !isSlash(parser, char) && !endsPath) {
    parser.buffer += percentEncode(char, ENCODE.path);
    return "stay";
  }
  endSegment(parser, char);
  if (char === "?") return beginQuery(parser);
  if (char === "#") return beginFragment(parser);
  return "stay";
};

function endSegment(parser: Parser, char: string): void {
  const { url, buffer } = parser;
  const dots = buffer.replace(/%2e/gi, ".");
  parser.buffer = "";
  if (dots === "..") shortenPath(url);
  if (dots === ".." || dots === ".") {
    if (!isSlash(parser, char)) appendSegment(parser, "");
    return;
  }
  const isDrive = url.scheme === "file" && url.path.length === 0 && isDriveLetter(buffer);
  appendSegment(parser, isDrive ? `${buffer.charAt(0)}:` : buffer);
}

const opaquePath: State = (parser, char) => {
  if (char === "?") return beginQuery(parser);
  if (char === "#") return beginFragment(parser);
  // A space before the query or the fragment would be lost with a later trim.
  const isLastSpace = char === " " && (nextIs(parser, "?") || nextIs(parser, "#"));
  parser.url.path += isLastSpace ? "%20" : percentEncode(char, ENCODE.opaque);
  return "stay";
};

const query: State = (parser, char) => {
  const { url, override } = parser;
  if (char !== "" && (override || char !== "#")) {
    parser.buffer += char;
    return "stay";
  }
  url.query += percentEncode(parser.buffer, isSpecial(parser) ? ENCODE.specialQuery : ENCODE.query);
  parser.buffer = "";
  return char === "#" ? beginFragment(parser) : "stay";
};

const fragment: State = (parser, char) => {
  parser.url.fragment += percentEncode(char, ENCODE.fragment);
  return "stay";
};

/** The states behind the authority (URL standard, basic URL parser). */
export const PATH_STATES = { file, fileSlash, fileHost, pathStart, path, opaquePath, query, fragment };
