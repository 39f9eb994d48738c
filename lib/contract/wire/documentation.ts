/** A page of the documentation, as listed in the table of contents. */
export interface DocumentationLink {
  /** Path of the Markdown file from the root of the project: `docs/guides/webhooks.md`. */
  file: string;
  /** Path of the page: `/docs/guides/webhooks`. */
  href: string;
  title: string;
  /** The pages that only this page lists. It is the list of its folder. */
  parts?: DocumentationLink[];
}

export interface DocumentationSection {
  title: string;
  pages: DocumentationLink[];
}

export interface DocumentationPage extends DocumentationLink {
  /** Markdown. */
  source: string;
  /** Null on the first and the last page. */
  previous: DocumentationLink | null;
  next: DocumentationLink | null;
}

/** A heading of a page with the text below it. The search returns such sections. */
export interface DocumentationPassage {
  /** The URL of the page with the anchor of the heading. */
  href: string;
  page: string;
  heading: string;
  text: string;
}

/** The file that lists all pages in order. */
export const DOCUMENTATION_INDEX = "docs/README.md";

/**
 * Returns the page of a Markdown file: `docs/guides/webhooks.md` is at `/docs/guides/webhooks`, and the README of a folder
 * is at the path of the folder.
 */
export function documentationHref(file: string): string {
  return `/${file.replace(/(?:\/README)?\.md$/, "")}`;
}

/**
 * Returns the target of a Markdown link in the product, or null if the target is neither a page nor a website: a source
 * file, for example.
 */
export function resolveDocumentationLink(file: string, href: string): string | null {
  if (/^[a-z]+:/i.test(href)) return /^https?:/.test(href) ? href : null;
  const { pathname, hash } = new URL(href, `file:///${file}`);
  if (pathname === "/docs/client/signalbox.ts") return "/docs/signalbox.ts";
  if (!/^\/docs\/.*\.md$/.test(pathname)) return null;
  return documentationHref(pathname.slice(1)) + hash;
}
