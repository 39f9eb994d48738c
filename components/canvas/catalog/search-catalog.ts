import MiniSearch, { type SearchOptions, type SearchResult } from "minisearch";
import { type CatalogEntry, entryLabel } from "@/components/canvas/catalog/catalog-entry";

export type SearchCatalog = (query: string) => CatalogEntry[];

/** A word of this length may have two errors; a shorter one would match words with another meaning. */
const TWO_ERRORS_MIN = 9;
/** A user who has not found a step in the first of them types another letter. */
const HITS_MAX = 60;
/** Words that people type around what they look for. "If" and "for each" are not among them: they are steps. */
const FILLERS = new Set("a an and in my of on or the to with".split(" "));
const BOOST = { title: 4, app: 3, keywords: 3, weakKeywords: 0.6, description: 0.3 };
/** Where an entry says what it is. The other fields say what it is about, and what it belongs to. */
const NAME_FIELDS = ["title", "app", "keywords"];
const WORD_GAP = /[^\p{L}\p{N}]+/u;

/** Indexes the entries. A search takes about a millisecond, so it runs with every key. */
export function indexCatalog(entries: readonly CatalogEntry[]): SearchCatalog {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const index = new MiniSearch<CatalogEntry>({
    fields: Object.keys(BOOST),
    extractField: (entry, field) => (field === "app" ? appName(entry) : String(Reflect.get(entry, field))),
    tokenize: (text) => text.split(WORD_GAP).filter(Boolean),
    processTerm: toTerm,
  });
  index.addAll([...byId.values()]);
  return (query) => {
    const typed = query.trim().toLowerCase();
    const options: SearchOptions = {
      boost: BOOST,
      prefix: true,
      boostDocument: (id, term) => {
        const entry = byId.get(String(id));
        return entry === undefined ? 1 : entry.weight * likeness(entry, WORD_GAP.test(typed) ? typed : term);
      },
    };
    const hits = searchInTurn(index, typed, options);
    return hits.slice(0, HITS_MAX).flatMap((id) => byId.get(id) ?? []);
  };
}

/** Finds entries with all words; if there are none, allows typing errors; after that, entries with some of the words. */
function searchInTurn(index: MiniSearch<CatalogEntry>, query: string, options: SearchOptions): string[] {
  const fuzzy = { fuzzy: allowedErrors, weights: { fuzzy: 0.3, prefix: 0.4 }, filter: isMeant };
  const attempts: SearchOptions[] = [
    { combineWith: "AND" },
    { combineWith: "AND", ...fuzzy },
    { combineWith: "OR", ...fuzzy },
  ];
  for (const attempt of attempts) {
    const found = index.search(query, { ...options, ...attempt });
    if (found.length > 0)
      return [...found.filter(isNamed), ...found.filter((hit) => !isNamed(hit))].map(({ id }) => String(id));
  }
  return [];
}

/** Returns true if each word that was found is in a name of the entry. Such entries come before others. */
function isNamed({ queryTerms, match }: SearchResult): boolean {
  const named = Object.keys(match).filter((term) => match[term]?.some((field) => NAME_FIELDS.includes(field)));
  return queryTerms.every((typed) => named.some((term) => isClose(typed, term)));
}

/** Returns true if each word that was found may be what the user meant: "stripe" is not a typing error in "script". */
function isMeant({ queryTerms, terms }: SearchResult): boolean {
  return queryTerms.every((typed) => terms.some((term) => isClose(typed, term)));
}

function isClose(typed: string, term: string): boolean {
  if (term.startsWith(typed)) return true;
  if (typed[0] !== term[0]) return false;
  return typed.length >= TWO_ERRORS_MIN || hasOneError(typed, term);
}

/** Returns true if one letter is missing, added or different, or if two letters changed places. */
function hasOneError(typed: string, term: string): boolean {
  const start = [...typed].findIndex((letter, at) => letter !== term[at]);
  const at = start === -1 ? typed.length : start;
  const rest = (text: string, from: number) => text.slice(at + from);
  const isSwapped = typed[at] === term[at + 1] && typed[at + 1] === term[at] && rest(typed, 2) === rest(term, 2);
  return (
    isSwapped ||
    rest(typed, 1) === rest(term, 1) ||
    rest(typed, 1) === rest(term, 0) ||
    rest(typed, 0) === rest(term, 1)
  );
}

/** Two letters that changed places count as two errors. */
function allowedErrors(term: string): number | false {
  return term.length < 4 ? false : 2;
}

function toTerm(word: string): string | null {
  const term = word.toLowerCase();
  if (FILLERS.has(term)) return null;
  return term.length > 3 && term.endsWith("s") && !term.endsWith("ss") ? term.slice(0, -1) : term;
}

/** The name of an app counts once, as the title of its own entry or as the app of its operations. */
function appName({ app, choice }: CatalogEntry): string {
  return app === null || choice.kind === "app" ? "" : app.name;
}

/**
 * Returns how much better an entry is than others with the same words, because the query is its name or a synonym.
 * @param wanted the query, or the word of the catalog that its only word means
 */
function likeness(entry: CatalogEntry, wanted: string): number {
  const title = termsOf(entry.title);
  const label = termsOf(entryLabel(entry));
  const terms = termsOf(wanted);
  if (title === terms || label === terms) return 6;
  if (entry.keywords.split(" ").some((word) => toTerm(word) === terms)) return 5;
  // Several words rather describe what to do with an app.
  if (entry.choice.kind === "app" && terms.includes(" ")) return 0.6;
  return title.startsWith(terms) || label.startsWith(terms) ? 1.3 : 1;
}

function termsOf(text: string): string {
  const terms = text.split(WORD_GAP).filter(Boolean).map(toTerm);
  return terms.filter((term) => term !== null).join(" ");
}
