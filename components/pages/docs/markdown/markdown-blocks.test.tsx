import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { findDocumentationPage } from "#lib/api/documentation/find-page";
import { listPages, readContents } from "#lib/api/documentation/read-contents";
import { parseMarkdown } from "#lib/support/parse-markdown";
import { DocumentationBody } from "@/components/pages/docs/documentation-body";
import { MarkdownBlocks } from "@/components/pages/docs/markdown/markdown-blocks";

function render(source: string): HTMLElement {
  const { tokens, headings } = parseMarkdown(source);
  const body = document.createElement("div");
  body.innerHTML = renderToStaticMarkup(
    <MarkdownBlocks tokens={tokens} scope={{ file: "docs/guides/a.md", headings }} />,
  );
  return body;
}

describe("Markdown", () => {
  test("cannot bring HTML, scripts or handlers into a page", () => {
    const body = render(
      "A <img src=x onerror=alert(1)> **b <script>c</script>**\n\n<script>alert(1)</script>\n\n`<b>` [x](javascript:alert\\(1\\))",
    );
    expect(body.querySelectorAll("script, img, b")).toHaveLength(0);
    expect(body.querySelector("code")?.textContent).toBe("<b>");
    expect(body.querySelector("a")).toBeNull();
  });

  test("becomes headings with anchors, lists, tables and code blocks with a copy button", () => {
    const body = render(
      "## A heading\n\n1. one\n\n   more\n2. two\n\n| | b |\n|---|---|\n| c | `d` |\n\n```sh\nls -l\npwd\n```\n\n> quote\n\n---\n",
    );
    expect(body.querySelector("h2")?.id).toBe("a-heading");
    expect(body.querySelector("h2 a")?.getAttribute("href")).toBe("#a-heading");
    expect(body.querySelectorAll("ol > li")).toHaveLength(2);
    expect([...body.querySelectorAll("th")].map((cell) => cell.textContent)).toEqual(["b"]);
    expect(body.querySelector("pre")?.textContent).toBe("ls -l\npwd");
    expect(body.querySelector("figure button")?.getAttribute("aria-label")).toBe("Copy Shell");
    expect(body.querySelector("blockquote")?.textContent).toBe("quote");
  });

  test("links to pages of the product, and names source files without a link", () => {
    const body = render("[page](b.md#c), [code](../../lib/contract/limits.ts), [site](https://example.com)");
    expect([...body.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual([
      "/docs/guides/b#c",
      "https://example.com",
    ]);
    expect(body.textContent).toBe("page, code, site");
  });
});

describe("a page of the documentation", () => {
  test("renders, whatever its file contains, and every link inside the documentation leads to a heading", async () => {
    const pages = new Map<string, HTMLElement>();
    for (const { href } of listPages(await readContents())) {
      const found = await findDocumentationPage(href);
      if (found === null) throw new Error(`there is no page at ${href}`);
      const body = document.createElement("div");
      body.innerHTML = renderToStaticMarkup(<DocumentationBody page={found.page} sections={found.sections} />);
      pages.set(href, body);
    }
    const dead = [...pages].flatMap(([page, body]) =>
      [...body.querySelectorAll('a[href^="/docs"], a[href^="#"]')].flatMap((link) => {
        const href = link.getAttribute("href") ?? "";
        const [path = "", anchor] = href.split("#");
        if (path === "/docs/signalbox.ts" || path === "/docs/api") return [];
        const target = pages.get(path === "" ? page : path);
        const isAlive = target !== undefined && (anchor === undefined || target.querySelector(`[id="${anchor}"]`));
        return isAlive ? [] : [`${page} links to ${href}`];
      }),
    );
    expect(dead).toEqual([]);
  });

  test.each([
    ["itself", "/docs/contract", "/docs/contract"],
    ["the list that it is a part of", "/docs/decisions/runs-sandbox", "/docs/decisions"],
  ])("marks %s in the navigation", async (_, page, marked) => {
    const found = await findDocumentationPage(page);
    if (found === null) throw new Error("there is no page");
    const body = document.createElement("div");
    body.innerHTML = renderToStaticMarkup(<DocumentationBody page={found.page} sections={found.sections} />);
    const current = body.querySelector('nav[aria-label="Documentation"] [aria-current="page"]');
    expect(current?.getAttribute("href")).toBe(marked);
  });
});
