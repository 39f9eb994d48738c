/** A URL, split at its query and its fragment. What is between them is kept byte for byte. */
interface SplitUrl {
  address: string;
  /** Without its question mark; null if the URL has none. */
  query: string | null;
  /** With its number sign. */
  fragment: string;
}

export function splitUrl(url: string): SplitUrl {
  const hash = url.indexOf("#");
  const [whole, fragment] = hash < 0 ? [url, ""] : [url.slice(0, hash), url.slice(hash)];
  const mark = whole.indexOf("?");
  if (mark < 0) return { address: whole, query: null, fragment };
  return { address: whole.slice(0, mark), query: whole.slice(mark + 1), fragment };
}

/**
 * Adds encoded pairs to the query of a URL, before its fragment. The URL itself stays byte for byte: `searchParams` would
 * write the whole query again, with `%20` as a plus sign and bytes that are not UTF-8 as U+FFFD.
 * @param pairs joined with `&`
 */
export function appendQuery(url: string, pairs: string): string {
  if (pairs === "") return url;
  const { address, query, fragment } = splitUrl(url);
  const separator = query === null || query === "" || query.endsWith("&") ? "" : "&";
  return `${address}?${query ?? ""}${separator}${pairs}${fragment}`;
}

/** Sets a parameter of a query in the place of those with its name; the others stay byte for byte. */
export function setQueryParameter(url: string, name: string, value: string): string {
  const { address, query, fragment } = splitUrl(url);
  const given = query === null || query === "" ? [] : query.split("&");
  const isNamed = (pair: string) => nameOf(pair) === name;
  const at = given.findIndex(isNamed);
  const pair = encodePair(name, value);
  if (at < 0) return appendQuery(url, pair);
  const kept = given.flatMap((own, index) => (index === at ? [pair] : isNamed(own) ? [] : [own]));
  return `${address}?${kept.join("&")}${fragment}`;
}

/** Writes a pair as URLSearchParams does. */
export function encodePair(name: string, value: string): string {
  return new URLSearchParams([[name, value]]).toString();
}

/** Returns the decoded name of a pair; null for an empty one. The ampersand keeps a question mark in the name. */
function nameOf(pair: string): string | null {
  return new URLSearchParams(`&${pair}`).keys().next().value ?? null;
}
