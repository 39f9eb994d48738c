import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright";

/**
 * The most JavaScript that a browser may have to load before a page can be used, in kB, gzip. The benchmark `pages`
 * uses the same table.
 */
export const LIST_KB = 180;
export const CANVAS_KB = 350;
/** The most that any page may request in all as long as it is only read. */
export const READ_KB = 350;

export interface PageTarget {
  name: string;
  path: string;
  /** Absent for pages without a budget. */
  budgetKb?: number;
}

const LISTS =
  `/workflows /actions /runs /approvals /usage /connections /connections/connectors /keys /templates /settings
  /settings/members /settings/audit /settings/events /settings/account`.split(/\s+/);

/** Returns every page with a budget: the canvas, and all pages that list or set something. */
export function budgetedPages(workflowId: string): Required<PageTarget>[] {
  const ofWorkflow = ["runs", "versions", "settings"].map((tab) => ({
    name: `${tab} of a workflow`,
    path: `/workflows/${workflowId}/${tab}`,
  }));
  const lists = [...LISTS.map((path) => ({ name: path, path })), ...ofWorkflow];
  return [
    ...lists.map((page) => ({ ...page, budgetKb: LIST_KB })),
    { name: "canvas", path: `/workflows/${workflowId}`, budgetKb: CANVAS_KB },
  ];
}

/** Adds up the sizes of the scripts in the page's HTML. They must load before the page can be used. */
export async function scriptsKb(html: string): Promise<number> {
  const tags = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => !/\bnomodule\b/i.test(tag));
  const paths = tags.flatMap((tag) => /\bsrc="\/_next\/([^"?]+)/.exec(tag)?.[1] ?? []);
  const files = [...new Set(paths)];
  if (files.length === 0) throw new Error("the page has no scripts");
  return filesKb(files);
}

/** Adds up the sizes of the scripts that the page requests from now on; the returned function returns the sum so far. */
export function watchScripts(page: Page): () => Promise<number> {
  const files = new Set<string>();
  page.on("request", (request) => {
    const [, file] = /\/_next\/(.+\.js)$/.exec(new URL(request.url()).pathname) ?? [];
    if (file !== undefined) files.add(file);
  });
  return () => filesKb([...files]);
}

async function filesKb(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => gzipSync(await readFile(join(".next", file))).length));
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
}
