import { listPages, readContents, readDocument } from "#lib/api/documentation/read-contents";
import type { DocumentationPage, DocumentationSection } from "#lib/contract/wire/documentation";

interface FoundPage {
  page: DocumentationPage;
  sections: DocumentationSection[];
}

/**
 * Finds the page at a path, or null. Only files that the table of contents links to are pages, so no path can lead out
 * of the documentation.
 */
export async function findDocumentationPage(href: string): Promise<FoundPage | null> {
  const sections = await readContents();
  const pages = listPages(sections);
  const position = pages.findIndex((page) => page.href === href);
  const found = pages[position];
  if (found === undefined) return null;
  const source = await readDocument(found.file);
  const previous = pages[position - 1] ?? null;
  const next = pages[position + 1] ?? null;
  return { page: { ...found, source, previous, next }, sections };
}
