import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findDocumentationPage } from "#lib/api/documentation/find-page";
import { listPassages } from "#lib/api/documentation/list-passages";
import { listPages, parseContents, readContents } from "#lib/api/documentation/read-contents";
import { resolveDocumentationLink } from "#lib/contract/wire/documentation";
import { parseMarkdown } from "#lib/support/parse-markdown";

test("docs/README.md, or the README of a folder that it links to, links to every page exactly once", async () => {
  const pages = listPages(await readContents()).map(({ file }) => file);
  expect(pages.toSorted()).toEqual(globSync("docs/**/*.md").toSorted());
});

test("the table of contents is the links below second-level headings, in their order", () => {
  const source =
    "# Docs\n\nSee [start](../README.md).\n\n## One\n\n- [A](a.md): about [B](b.md).\n- [A again](a.md#x)\n\n## Empty\n\n## Two\n\n| [C](two/c.md) |\n|---|\n";
  expect(parseContents(source)).toEqual([
    {
      title: "One",
      pages: [
        { file: "docs/a.md", href: "/docs/a", title: "A" },
        { file: "docs/b.md", href: "/docs/b", title: "B" },
      ],
    },
    { title: "Two", pages: [{ file: "docs/two/c.md", href: "/docs/two/c", title: "C" }] },
  ]);
});

test("every page is found at its path and leads to the one before and after it", async () => {
  const pages = listPages(await readContents());
  for (const [position, { href }] of pages.entries()) {
    const found = await findDocumentationPage(href);
    expect(found?.page.href).toBe(href);
    expect(found?.page.previous?.href).toBe(pages[position - 1]?.href);
    expect(found?.page.next?.href).toBe(pages[position + 1]?.href);
  }
});

test.each(["/docs/nothing", "/docs/../package.json", "/docs/%2e%2e/README", "/docs/README", "/docs/client/signalbox"])(
  "no page is found at %s",
  async (href) => {
    expect(await findDocumentationPage(href)).toBeNull();
  },
);

test.each([
  ["webhooks.md#sign", "/docs/guides/webhooks#sign"],
  ["../README.md", "/docs"],
  ["../contract.md#limits", "/docs/contract#limits"],
  ["../client/signalbox.ts", "/docs/signalbox.ts"],
  ["../../lib/contract", null],
  ["../../README.md", null],
  ["https://example.com/a.md", "https://example.com/a.md"],
])("a link to %s leads to %s", (link, href) => {
  expect(resolveDocumentationLink("docs/guides/operate.md", link)).toBe(href);
});

test("every page starts with its only first-level heading", async () => {
  const wrong = listPages(await readContents()).filter(({ file }) => {
    const depths = [...parseMarkdown(readFileSync(file, "utf8")).headings.values()].map(({ depth }) => depth);
    return depths[0] !== 1 || depths.lastIndexOf(1) !== 0;
  });
  expect(wrong).toEqual([]);
});

test("the search finds every heading of every page under its own address", async () => {
  const passages = await listPassages();
  const addresses = passages.map(({ href }) => href);
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(addresses).toContain("/docs/contract#limits");
  expect(passages.find(({ href }) => href === "/docs/contract#limits")?.text).toContain("sliding window");
});
