import type { JsonObject } from "#lib/contract/wire/json-schema";

/** The languages of texts in which a value must be written for more than its own characters. */
export const WRITTEN_PLACES = [
  "url",
  "html",
  "markdown",
  "markdown_v2",
  "bbcode",
  "addresses",
  "header",
  "cell",
  "range",
  "token",
  "name",
  "json",
  "graphql",
  "xml",
  "form",
  "multipart",
] as const;
export type WrittenPlace = (typeof WRITTEN_PLACES)[number];

/**
 * The language of a field's texts: always the same, or as another field of the same object says. Null is plain text, in
 * which a value can be anything.
 */
export type PlaceRule =
  | WrittenPlace
  | { by: string; is: Readonly<Record<string, WrittenPlace | null>>; otherwise: WrittenPlace | null };

/** The keyword for the language of a field's texts in its JSON Schema. */
const KEYWORD = "x-written-as";

/**
 * Creates the `meta` of a field whose texts have a language. It holds for every text in the field, also in a list or an
 * object.
 */
export function writtenAs(rule: PlaceRule): Record<typeof KEYWORD, PlaceRule> {
  return { [KEYWORD]: rule };
}

/** Reads the language from a field's schema; null if its texts are plain. */
export function readPlaceRule(property: unknown): PlaceRule | null {
  if (typeof property !== "object" || property === null) return null;
  const { [KEYWORD]: own, anyOf } = property as JsonObject;
  if (isPlaceRule(own)) return own;
  // If the field can be null, its value has a schema of its own.
  return Array.isArray(anyOf) ? (anyOf.map(readPlaceRule).find((rule) => rule !== null) ?? null) : null;
}

/** Checks the type, because a document from anywhere may contain the keyword. */
function isPlaceRule(value: unknown): value is PlaceRule {
  if (typeof value === "string") return WRITTEN_PLACES.some((place) => place === value);
  if (typeof value !== "object" || value === null) return false;
  const { by, is } = value as Partial<Record<"by" | "is", unknown>>;
  return typeof by === "string" && typeof is === "object" && is !== null;
}

const WORDS: Record<WrittenPlace, string> = {
  url: "encoded for their place in the URL",
  html: "escaped as HTML",
  markdown: "escaped as Markdown",
  markdown_v2: "escaped as MarkdownV2",
  bbcode: "escaped as BB code",
  addresses: "one address each, or a list of addresses",
  header: "one line of text",
  cell: "never a formula",
  range: "a row, a column, or the name of a sheet",
  token: "searched for as they are, without wildcards",
  name: "one name each",
  json: "escaped as JSON",
  graphql: "escaped as GraphQL",
  xml: "escaped as XML",
  form: "encoded as a form",
  multipart: "never the end of a part",
};

/** Says in one sentence how the values of expressions are written in a field. */
export function describePlaceRule(rule: PlaceRule): string {
  const words =
    typeof rule === "string"
      ? WORDS[rule]
      : [
          ...Object.entries(rule.is).flatMap(([name, place]) =>
            place === null ? [] : [`${WORDS[place]} if ${rule.by} is ${name}`],
          ),
          ...(rule.otherwise === null ? [] : [exceptFor(rule, WORDS[rule.otherwise])]),
        ].join(", ");
  return `Values of expressions are ${words}; raw(…) writes a value as it is.`;
}

function exceptFor({ by, is }: Exclude<PlaceRule, string>, words: string): string {
  const plain = Object.keys(is).filter((name) => is[name] === null);
  return plain.length === 0 ? words : `${words} unless ${by} is ${plain.join(" or ")}`;
}
