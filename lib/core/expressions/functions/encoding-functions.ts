import { WRITTEN_PLACES } from "#lib/contract/action/field-places";
import type { CallArguments, ExpressionFunction } from "#lib/core/expressions/functions/expression-function";
import { escapeMarkdown, escapeMarkdownV2 } from "#lib/core/expressions/places/markdown-escapes";
import { scalar } from "#lib/core/shapes/shape";

const TEXT = () => scalar("string");
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const HEX = /^(?:[0-9A-Fa-f]{2})*$/;
const BROKEN_TRIPLET = /%(?![0-9A-Fa-f]{2})/;
/** The bytes that become one argument list of String.fromCharCode. */
const CHUNK = 8_192;
const MARKUP: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Functions that write a text for a place, and read it from there. Texts are UTF-8, and a surrogate without its partner
 * becomes U+FFFD, as in the URL standard.
 */
export const ENCODING_FUNCTIONS: readonly ExpressionFunction[] = [
  {
    name: "encode_url",
    parameters: [{ name: "text", accepts: ["text"] }],
    description: "Encodes the text as a part of a URL, such as a segment of its path or the value of a parameter.",
    example: { expression: 'encode_url("a/b c?")', value: "a%2Fb%20c%3F" },
    run: (args) => spent(args, encodeURIComponent(args.text(0).toWellFormed())),
    writesFor: ["url", "form"],
    result: TEXT,
  },
  {
    name: "decode_url",
    parameters: [{ name: "text", accepts: ["text"] }],
    description: "Decodes a part of a URL. A plus sign stays a plus sign.",
    example: { expression: 'decode_url("a%2Fb%20c%3F")', value: "a/b c?" },
    run: decodeUrl,
    result: TEXT,
  },
  {
    name: "encode_base64",
    parameters: [{ name: "text", accepts: ["text"] }],
    description: "Encodes the text as base64.",
    example: { expression: 'encode_base64("user:pass?")', value: "dXNlcjpwYXNzPw==" },
    run: (args) => encodeBase64(args),
    result: TEXT,
  },
  {
    name: "decode_base64",
    parameters: [{ name: "text", accepts: ["text"] }],
    description: "Decodes base64 or base64url, with or without padding, to the text that it encodes.",
    example: { expression: 'decode_base64("dXNlcjpwYXNzPw==")', value: "user:pass?" },
    run: decodeBase64,
    result: TEXT,
  },
  {
    name: "encode_base64url",
    parameters: [{ name: "text", accepts: ["text"] }],
    description: "Encodes the text as base64 for URLs and file names: with `-` and `_`, without padding.",
    example: { expression: 'encode_base64url("user:pass?")', value: "dXNlcjpwYXNzPw" },
    run: (args) => encodeBase64(args).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
    result: TEXT,
  },
  {
    name: "decode_base64url",
    parameters: [{ name: "text", accepts: ["text"] }],
    description: "Does the same as `decode_base64`, which reads both alphabets.",
    example: { expression: 'decode_base64url("dXNlcjpwYXNzPw")', value: "user:pass?" },
    run: decodeBase64,
    result: TEXT,
  },
  {
    name: "encode_hex",
    parameters: [{ name: "text", accepts: ["text"] }],
    description: "Writes the bytes of the text as pairs of hexadecimal digits.",
    example: { expression: 'encode_hex("Ada")', value: "416461" },
    run: (args) => {
      const bytes = new TextEncoder().encode(args.text(0));
      args.spend(2 * bytes.length);
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    },
    result: TEXT,
  },
  {
    name: "decode_hex",
    parameters: [{ name: "text", accepts: ["text"] }],
    description: "Reads pairs of hexadecimal digits as the bytes of a text.",
    example: { expression: 'decode_hex("416461")', value: "Ada" },
    run: (args) => {
      const text = args.text(0).trim();
      if (!HEX.test(text)) throw args.refuse(0, "must be pairs of hexadecimal digits");
      const bytes = Uint8Array.from({ length: text.length / 2 }, (_, at) =>
        Number.parseInt(text.slice(2 * at, 2 * at + 2), 16),
      );
      return utf8(args, bytes);
    },
    result: TEXT,
  },
  {
    name: "escape_html",
    parameters: [{ name: "text", accepts: ["text"] }],
    description: "Escapes `&`, `<`, `>` and quotes, so that HTML and XML show the text as it is.",
    example: { expression: `escape_html("a < 'b'")`, value: "a &lt; &#39;b&#39;" },
    run: (args) =>
      spent(
        args,
        args.text(0).replace(/[&<>"']/g, (character) => MARKUP[character] ?? character),
      ),
    writesFor: ["html", "xml"],
    result: TEXT,
  },
  {
    name: "escape_markdown",
    parameters: [{ name: "text", accepts: ["text"] }],
    description: "Escapes the marks of Markdown, such as `*` and `[`, so that a message shows the text as it is.",
    example: { expression: 'escape_markdown("a *b* [c]")', value: "a \\*b\\* \\[c\\]" },
    run: (args) => spent(args, escapeMarkdown(args.text(0))),
    writesFor: ["markdown"],
    result: TEXT,
  },
  {
    name: "escape_markdown_v2",
    parameters: [{ name: "text", accepts: ["text"] }],
    description: "Escapes the marks of Telegram's MarkdownV2, which also has `.`, `-`, and `!`.",
    example: { expression: 'escape_markdown_v2("1.5 *kg*!")', value: "1\\.5 \\*kg\\*\\!" },
    run: (args) => spent(args, escapeMarkdownV2(args.text(0))),
    writesFor: ["markdown_v2"],
    result: TEXT,
  },
  {
    name: "escape_quotes",
    parameters: [{ name: "text", accepts: ["text"] }],
    description:
      "Puts a backslash before quotes and backslashes, for a text in quotes of a query language, such as a formula of Airtable.",
    example: { expression: `escape_quotes("it's")`, value: "it\\'s" },
    run: (args) => spent(args, args.text(0).replace(/["'\\]/g, "\\$&")),
    result: TEXT,
  },
  {
    name: "escape_slack",
    parameters: [{ name: "text", accepts: ["text"] }],
    description: "Escapes `&`, `<`, and `>` for the text of a Slack message, where `<` starts a mention or a link.",
    example: { expression: 'escape_slack("<!channel> & co")', value: "&lt;!channel&gt; &amp; co" },
    run: (args) =>
      spent(
        args,
        args.text(0).replace(/[&<>]/g, (character) => MARKUP[character] ?? character),
      ),
    result: TEXT,
  },
  {
    name: "raw",
    parameters: [{ name: "value", accepts: null }],
    description: "Returns the value. A field that escapes or encodes values gets it as it is.",
    example: { expression: 'raw("a/b")', value: "a/b" },
    run: (args) => args.value(0),
    writesFor: WRITTEN_PLACES,
    result: ([value]) => value ?? scalar("string"),
  },
];

/** Charges what a result is longer than the text that was read. */
function spent(args: CallArguments, text: string): string {
  args.spend(text.length);
  return text;
}

function decodeUrl(args: CallArguments): string {
  const text = args.text(0);
  if (!BROKEN_TRIPLET.test(text)) {
    try {
      return decodeURIComponent(text);
    } catch {
      // Triplets that are not UTF-8 are refused like broken ones.
    }
  }
  throw args.refuse(0, "must be URL-encoded UTF-8");
}

function encodeBase64(args: CallArguments): string {
  const bytes = new TextEncoder().encode(args.text(0));
  args.spend(2 * bytes.length);
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

function decodeBase64(args: CallArguments): string {
  const text = args.text(0).replace(/\s+/g, "");
  const plain = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  if (!BASE64.test(text) || plain.length % 4 === 1) throw args.refuse(0, "must be base64");
  const binary = atob(plain);
  return utf8(
    args,
    Uint8Array.from({ length: binary.length }, (_, at) => binary.charCodeAt(at)),
  );
}

function utf8(args: CallArguments, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw args.refuse(0, "must encode a text in UTF-8");
  }
}
