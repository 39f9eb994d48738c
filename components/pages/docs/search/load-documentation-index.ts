import type { DocumentationPassage } from "#lib/contract/wire/documentation";
import { buildDocumentationIndex, type DocumentationIndex } from "@/components/pages/docs/search/documentation-index";

/** Fetches the passages and builds the index. The search box imports this file when it first gets the focus. */
export async function loadDocumentationIndex(): Promise<DocumentationIndex> {
  const answer = await fetch("/docs/search.json");
  if (!answer.ok) throw new Error(`The search index could not be loaded (${answer.status}).`);
  return buildDocumentationIndex((await answer.json()) as DocumentationPassage[]);
}
