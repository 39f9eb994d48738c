import MiniSearch from "minisearch";
import type { DocumentationPassage } from "#lib/contract/wire/documentation";

export type DocumentationIndex = MiniSearch<DocumentationPassage>;

/** Words of a question that say nothing about its subject. */
const FILLERS = new Set(
  "a an and are can do does for from get how i in is it my of on or the to up what with".split(" "),
);

/** Builds the index of all passages. A word in a heading counts more than one in the text. */
export function buildDocumentationIndex(passages: readonly DocumentationPassage[]): DocumentationIndex {
  const index = new MiniSearch<DocumentationPassage>({
    idField: "href",
    fields: ["heading", "page", "text"],
    storeFields: ["href", "heading", "page", "text"],
    processTerm: toStem,
  });
  index.addAll(passages);
  return index;
}

/** "Rotating keys" finds "Rotate a key": endings that change with grammar are cut off. */
function toStem(word: string): string | null {
  const term = word.toLowerCase();
  if (FILLERS.has(term)) return null;
  if (term.length < 4) return term;
  return term.replace(/(?:ies|ing|ed|es|s|e|y)$/, "");
}

export interface DocumentationHit extends DocumentationPassage {
  /** Part of the text around the first word that was found. */
  excerpt: string;
}

export interface DocumentationHits {
  page: string;
  hits: DocumentationHit[];
}

const MAX_HITS = 12;

/** Decisions and internals contain every word, but readers who search want to get something done. */
function preferGuides(href: string): number {
  return /^\/docs\/(?:concepts|guides|reference)\//.test(href) ? 2 : 1;
}

/** Returns the best passages, grouped by page. Passages with every word of the query come first. */
export function searchDocumentation(index: DocumentationIndex, query: string): DocumentationHits[] {
  const options = { prefix: true, fuzzy: 0.2, boost: { heading: 5, page: 2 }, boostDocument: preferGuides };
  const strict = index.search(query, { ...options, combineWith: "AND" });
  const found = strict.length > 0 ? strict : index.search(query, options);
  const hits = found.slice(0, MAX_HITS).map(({ href, heading, page, text, terms }): DocumentationHit => {
    return { href, heading, page, text, excerpt: cutExcerpt(text, terms) };
  });
  const pages = Map.groupBy(hits, ({ page }) => page);
  return [...pages].map(([page, group]) => ({ page, hits: group }));
}

const EXCERPT_LENGTH = 140;
const EXCERPT_LEAD = 40;

function cutExcerpt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const positions = words.map((word) => lower.indexOf(word)).filter((position) => position >= 0);
  const first = positions.length === 0 ? 0 : Math.min(...positions);
  const start = first <= EXCERPT_LEAD ? 0 : text.indexOf(" ", first - EXCERPT_LEAD) + 1;
  const lead = start > 0 ? "… " : "";
  if (text.length <= start + EXCERPT_LENGTH) return lead + text.slice(start);
  return `${lead}${text.slice(start, text.lastIndexOf(" ", start + EXCERPT_LENGTH))} …`;
}
