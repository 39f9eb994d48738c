import { findFunction } from "#lib/core/expressions/functions/expression-functions";
import { findFunctionAlias } from "#lib/core/expressions/functions/find-function-alias";
import { scanTemplate } from "#lib/core/expressions/scan-template";
import { guessReference, type Sight } from "#lib/core/graph/checks/meant/guess-reference";

const PATH = String.raw`((?:\.[A-Za-z_][\w-]{0,63}|\[\d{1,9}\]){0,20})`;
/** n8n: `$json.email`, `$input.item.json.email`, `$node["Fetch"].json.id`, `$('Fetch').item.json.id`. */
const CURRENT = new RegExp(
  String.raw`^\{\{\s*\$(?:json|input(?:\.item|\.first\(\)|\.last\(\))?(?:\.json)?)${PATH}\s*\}\}$`,
);
const NAMED = new RegExp(
  String.raw`^\{\{\s*\$(?:node)?(?:\[?\(?["']([^"'\]]{1,100})["']\)?\]?|\.([A-Za-z_]\w{0,63}))(?:\.item|\.first\(\)|\.last\(\)|\.all\(\)\[\d\])?(?:\.json|\.data)?${PATH}\s*\}\}$`,
);
/** A name with a dollar: `$fetch.body`, `$item.name`. */
const DOLLAR = new RegExp(String.raw`^\{\{\s*\$([A-Za-z_]\w{0,63})${PATH}\s*\}\}$`);
/** A filter of Liquid and Jinja: `email | upcase`. */
const FILTER = /^\{\{\s*([\w.[\]"'-]{1,200}?)\s*\|\s*([A-Za-z_]\w{0,63})\s*\}\}$/;
/** Go, and Handlebars without escaping: `{{.email}}`, `{{~email~}}`, `{{& email}}`, `{{=email}}`. */
const SIGNED = /^\{\{\s*[.~&=]\s*([A-Za-z_][\w.[\]]{0,200})\s*~?\s*\}\}$/;

/**
 * Returns the expression that one of another engine means.
 * @param source with its braces
 * @returns null if there is no certain one
 */
export function mendForeign(sight: Sight, source: string): string | null {
  const [, current] = CURRENT.exec(source) ?? [];
  if (current !== undefined) return written(guess(sight, "json", current));
  const [, quoted, named, path = ""] = NAMED.exec(source) ?? [];
  const step = findStep(sight, quoted ?? named ?? "");
  // There, the answer of a service is what the step is.
  if (step !== null)
    return written(guess(sight, "steps", `.${step}${path}`) ?? guess(sight, "steps", `.${step}.body${path}`));
  const [, name, rest = ""] = DOLLAR.exec(source) ?? [];
  if (name !== undefined) return written(guess(sight, "steps", `.${name}${rest}`) ?? guess(sight, name, rest));
  const [, signed] = SIGNED.exec(source) ?? [];
  if (signed !== undefined) return written(resolve(sight, signed));
  const [, value = "", filter = ""] = FILTER.exec(source) ?? [];
  return filter === "" ? null : filtered(sight, value, filter);
}

function written(path: string | null): string | null {
  return path === null ? null : `{{${path}}}`;
}

/** @param path as it is written after a name */
function guess(sight: Sight, name: string, path: string): string | null {
  const [part] = scanTemplate(`{{${name}${path}}}`).parts;
  const [reference] = part === undefined || typeof part === "string" ? [] : part.references;
  return reference === undefined ? null : guessReference(sight, reference.name, reference.path);
}

/** Returns a path that exists as it is, or the one that is meant. */
function resolve(sight: Sight, path: string): string | null {
  return (
    guess(sight, "steps", `.${path}`) ?? guess(sight, path.split(/[.[]/)[0] ?? "", path.slice(path.search(/[.[]|$/)))
  );
}

/** Other engines name a step by its label, ours by its id. */
function findStep({ index, visible }: Sight, name: string): string | null {
  if (name === "") return null;
  const found = index.definition.nodes.find(({ id, data }) => visible.has(id) && (id === name || data.name === name));
  return found?.id ?? null;
}

const FILTERS: Readonly<Record<string, string>> = {
  upcase: "upper",
  downcase: "lower",
  tojson: "json",
  escape: "escape_html",
  urlize: "encode_url",
  url_encode: "encode_url",
  e: "escape_html",
};

function filtered(sight: Sight, value: string, filter: string): string | null {
  const called = findFunction(filter) === null ? (FILTERS[filter] ?? findFunctionAlias(filter)) : filter;
  const path = resolve(sight, value);
  return called === null || path === null ? null : `{{${called}(${path})}}`;
}
