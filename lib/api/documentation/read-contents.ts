import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  DOCUMENTATION_INDEX,
  type DocumentationLink,
  type DocumentationSection,
  documentationHref,
} from "#lib/contract/wire/documentation";
import { flattenTokens, parseMarkdown, plainText } from "#lib/support/parse-markdown";

/** Reads a file of the documentation. The process runs in the root of the project, which the build need not search. */
export function readDocument(file: string): Promise<string> {
  return readFile(join(/* turbopackIgnore: true */ process.cwd(), file), "utf8");
}

/**
 * Reads the table of contents: the sections of docs/README.md that link to pages, in their order. A page that is the
 * README of a folder lists further pages.
 */
export async function readContents(): Promise<DocumentationSection[]> {
  const sections = parseContents(await readDocument(DOCUMENTATION_INDEX));
  const lists = sections.flatMap(({ pages }) => pages).filter(({ file }) => file.endsWith("/README.md"));
  for (const list of lists) {
    list.parts = parseContents(await readDocument(list.file), list.file).flatMap(({ pages }) => pages);
  }
  return sections;
}

export function parseContents(source: string, index = DOCUMENTATION_INDEX): DocumentationSection[] {
  const sections: DocumentationSection[] = [];
  const seen = new Set<string>();
  for (const token of flattenTokens(parseMarkdown(source).tokens)) {
    if (token.type === "heading" && token.depth === 2) sections.push({ title: plainText(token), pages: [] });
    if (token.type !== "link") continue;
    const file = linkedFile(token.href, index);
    if (file === null || seen.has(file)) continue;
    seen.add(file);
    sections.at(-1)?.pages.push({ file, href: documentationHref(file), title: plainText(token) });
  }
  return sections.filter(({ pages }) => pages.length > 0);
}

/** Returns the index, then every page that it links to, each followed by its parts. */
export function listPages(sections: readonly DocumentationSection[]): DocumentationLink[] {
  const index = { file: DOCUMENTATION_INDEX, href: documentationHref(DOCUMENTATION_INDEX), title: "Documentation" };
  const pages = sections.flatMap((section) => section.pages);
  return [index, ...pages.flatMap((page) => [page, ...(page.parts ?? [])])];
}

function linkedFile(href: string, index: string): string | null {
  if (/^[a-z]+:/.test(href)) return null;
  const { pathname } = new URL(href, `file:///${index}`);
  return /^\/docs\/.+\.md$/.test(pathname) ? pathname.slice(1) : null;
}
