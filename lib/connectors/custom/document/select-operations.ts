import { BuildRefused } from "#lib/connectors/custom/custom-definition";
import { countPaths, countTags, type ListedOperation } from "#lib/connectors/custom/document/list-operations";
import { BUILD_LIMITS, type Selection } from "#lib/contract/connector/connector";
import { joinWords } from "#lib/support/join-words";
import { listSuggestions, quoteName } from "#lib/support/list-suggestions";

/** An agent chooses from them, so most documents must fit. */
const NAMES_SHOWN = 60;

/**
 * Chooses the operations of a connector: those with one of the tags, names or paths. Without a selection, all of them.
 * @throws BuildRefused `unknown_selection` for a name that the document does not have, `too_many_operations` above the
 *   limit of a connector
 */
export function selectOperations(listed: readonly ListedOperation[], select: Selection | null): ListedOperation[] {
  const chosen = select === null ? [...listed] : choose(listed, select);
  if (chosen.length > BUILD_LIMITS.operations) throw tooMany(listed, chosen, select);
  return chosen;
}

function choose(listed: readonly ListedOperation[], { tags = [], operations = [], paths = [] }: Selection) {
  const allTags = new Set(listed.flatMap((one) => one.tags));
  const allNames = new Set(listed.flatMap((one) => [one.name, routeOf(one)]));
  assertAllKnown("tags", tags, allTags);
  assertAllKnown("operations", operations, allNames);
  const matchers = paths.map(matcherOf);
  for (const [index, matches] of matchers.entries()) {
    if (listed.some((one) => matches(one.path))) continue;
    throw unknown("paths", index, paths[index] ?? "", new Set(listed.map((one) => one.path)));
  }
  const [byTag, byName] = [new Set(tags), new Set(operations)];
  return listed.filter(
    (one) =>
      one.tags.some((tag) => byTag.has(tag)) ||
      byName.has(one.name) ||
      byName.has(routeOf(one)) ||
      matchers.some((matches) => matches(one.path)),
  );
}

function routeOf({ method, path }: ListedOperation): string {
  return `${method.toUpperCase()} ${path}`;
}

/** A path that ends in `/*` means itself and everything below it. */
function matcherOf(path: string): (other: string) => boolean {
  if (!path.endsWith("/*")) return (other) => other === path;
  const start = path.slice(0, -2);
  return (other) => other === start || other.startsWith(`${start}/`);
}

function assertAllKnown(list: keyof Selection, names: readonly string[], known: ReadonlySet<string>): void {
  const index = names.findIndex((name) => !known.has(name));
  if (index >= 0) throw unknown(list, index, names[index] ?? "", known);
}

function unknown(list: keyof Selection, index: number, name: string, known: ReadonlySet<string>): BuildRefused {
  const { words } = listSuggestions(name, known, `its ${list} are`);
  const message = `The document has no ${list.slice(0, -1)} ${quoteName(name)}${words || "."}`;
  return new BuildRefused(`/select/${list}/${index}`, "unknown_selection", message);
}

function tooMany(
  listed: readonly ListedOperation[],
  chosen: readonly ListedOperation[],
  select: Selection | null,
): BuildRefused {
  const { operations: most } = BUILD_LIMITS;
  const what =
    select === null
      ? `The document describes ${listed.length} operations`
      : `The selection contains ${chosen.length} operations`;
  const tags = countTags(chosen);
  const paths = countPaths(chosen);
  const small = tags.find(({ operations }) => operations <= most);
  const example = small ? { tags: [small.tag] } : { paths: [paths[0]?.path ?? ""] };
  const names = [
    `Tags: ${listCounts(tags.map(({ tag, operations }) => `${tag} (${operations})`))}.`,
    `Paths: ${listCounts(paths.map(({ path, operations }) => `${path} (${operations})`))}.`,
  ];
  const message = `${what}, but a connector can have only ${most}. Send select with the tags, operations or paths that you need, such as ${JSON.stringify(example)}. ${names.join(" ")}`;
  return new BuildRefused("/paths", "too_many_operations", message);
}

function listCounts(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return joinWords(more > 0 ? [...names.slice(0, NAMES_SHOWN), `${more} more`] : names, "and");
}
