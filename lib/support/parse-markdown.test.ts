import { expect, test } from "vitest";
import { flattenTokens, parseMarkdown, plainText } from "#lib/support/parse-markdown";

test("headings get the same anchors as on GitHub", () => {
  const { headings } = parseMarkdown("# A `x<y>` & b\n\n## What's new?\n\n## What's new?\n\n### Ümlaut – dash");
  expect([...headings.values()]).toEqual([
    { depth: 1, text: "A x<y> & b", id: "a-xy--b" },
    { depth: 2, text: "What's new?", id: "whats-new" },
    { depth: 2, text: "What's new?", id: "whats-new-1" },
    { depth: 3, text: "Ümlaut – dash", id: "ümlaut--dash" },
  ]);
});

test("plain text keeps the text that readers see (emphasis, code, cells and items) but no markup or HTML", () => {
  const { tokens } = parseMarkdown(
    "A **b** [c](d.md).\n\n| x | y |\n|---|---|\n| `1` | 2 |\n\n- one\n- *two*\n\n<!-- no -->\n\n```sh\nls\n```",
  );
  expect(tokens.map(plainText).join(" ").replace(/\s+/g, " ").trim()).toBe("A b c. x y 1 2 one two ls");
});

test("links are found in items, in cells and inside emphasis", () => {
  const { tokens } = parseMarkdown("- **[a](1)**\n\n| [b](2) |\n|---|\n| [c](3) |\n\n> [d](4)");
  const links = flattenTokens(tokens).flatMap((token) => (token.type === "link" ? [token.href] : []));
  expect(links).toEqual(["1", "2", "3", "4"]);
});
