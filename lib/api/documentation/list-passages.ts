import { listPages, readContents, readDocument } from "#lib/api/documentation/read-contents";
import type { DocumentationLink, DocumentationPassage } from "#lib/contract/wire/documentation";
import { parseMarkdown, plainText } from "#lib/support/parse-markdown";

/** Returns everything that the search finds: each heading of each page with the text up to the next heading. */
export async function listPassages(): Promise<DocumentationPassage[]> {
  const pages = listPages(await readContents());
  const passages = await Promise.all(pages.map(async (page) => splitPage(page, await readDocument(page.file))));
  return passages.flat();
}

export function splitPage({ href, title }: DocumentationLink, source: string): DocumentationPassage[] {
  const { tokens, headings } = parseMarkdown(source);
  const passages: DocumentationPassage[] = [];
  for (const token of tokens) {
    const heading = headings.get(token);
    const last = passages.at(-1);
    if (heading !== undefined) {
      const anchor = heading.depth === 1 ? "" : `#${heading.id}`;
      passages.push({ href: href + anchor, page: title, heading: heading.text, text: "" });
    } else if (last !== undefined) {
      last.text = `${last.text} ${plainText(token)}`.replace(/\s+/g, " ").trim();
    }
  }
  return passages;
}

/**
 * Serves `GET /docs/search.json`, from which the search box builds its index. Its address stays the same when its content
 * changes, and Next.js would let caches keep it for a year.
 */
export async function documentationPassages(): Promise<Response> {
  return Response.json(await listPassages(), { headers: { "cache-control": "no-cache" } });
}
