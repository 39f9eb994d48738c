import { describe, expect, test } from "vitest";
import { listPassages } from "#lib/api/documentation/list-passages";
import { buildDocumentationIndex, searchDocumentation } from "@/components/pages/docs/search/documentation-index";

const index = buildDocumentationIndex(await listPassages());

/** What newcomers type, and the heading that answers it. */
const QUESTIONS = {
  "add a step kind": "/docs/extending#add-a-step-kind",
  "add a connector": "/docs/extending#add-a-connector",
} as const;

describe("the search", () => {
  test.each(Object.entries(QUESTIONS))("leads from %s to %s", (question, href) => {
    const found = searchDocumentation(index, question).flatMap(({ hits }) => hits);
    expect(found.slice(0, 3).map((hit) => hit.href)).toContain(href);
  });

  test("groups results by page, the page with the best result first", () => {
    const groups = searchDocumentation(index, "limits");
    expect(groups.length).toBeGreaterThan(1);
    expect(new Set(groups.map(({ page }) => page)).size).toBe(groups.length);
  });

  test("finds a word by its beginning, in another form, and with a typing error", () => {
    for (const query of ["idempot", "schedules", "schedule", "schedle", "aproval"]) {
      expect(searchDocumentation(index, query), query).not.toEqual([]);
    }
  });

  test("shows the text around the first word that was found", () => {
    const text = `${"filler ".repeat(40)}the needle is here ${"filler ".repeat(40)}`;
    const own = buildDocumentationIndex([{ href: "/docs/a", page: "A", heading: "B", text }]);
    const [group] = searchDocumentation(own, "needle");
    expect(group?.hits[0]?.excerpt).toMatch(/^… .*the needle is here .*…$/);
  });

  test.each(["", "   ", "a the", "qqqqzzzz"])("finds nothing for %j", (query) => {
    expect(searchDocumentation(index, query)).toEqual([]);
  });
});
