import { findAlias } from "#lib/support/find-alias";

/** What other languages call a function of expressions. */
const FUNCTION_ALIASES: Readonly<Record<string, string>> = {
  upper: "uppercase touppercase ucase",
  lower: "lowercase tolowercase lcase",
  trim: "strip",
  length: "len count size",
  json: "stringify tojson jsonstringify",
  slice: "substring substr mid",
  contains: "includes has",
  default: "coalesce ifnull nvl ifempty",
  encode_url: "urlencode encodeuricomponent encodeuri",
  decode_url: "urldecode decodeuricomponent decodeuri",
  encode_base64: "base64 base64encode b64encode btoa",
  decode_base64: "base64decode b64decode atob",
  escape_html: "escape htmlescape",
  format_date: "formatdate dateformat strftime",
  format_number: "numberformat",
};

/** Returns the function that other languages call by this name; null if there is none. */
export function findFunctionAlias(wrong: string): string | null {
  return findAlias(FUNCTION_ALIASES, wrong, Object.keys(FUNCTION_ALIASES));
}
