import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CHECKED_IN, SIGNED_IN_PAGES, VISITOR_PAGES } from "#e2e/page-list";

/** The routes of the pages in `app`, without the groups, such as `(app)`. The first page only leads to another. */
const ROUTES = globSync("app/*/**/page.tsx").map((file) => file.replaceAll(/^app|\/\([^/]*\)|\/page\.tsx$/g, ""));

/** Matches the addresses of a route: a parameter such as `[slug]` is any one part, and `[[...path]]` any number of them. */
function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replaceAll(/\/\[\[\.\.\.\w+\]\]/g, "(/.+)?").replaceAll(/\[\w+\]/g, "[^/]+")}$`);
}

function routeOf(address: string): string | undefined {
  const [path = ""] = address.split("?");
  return ROUTES.includes(path) ? path : ROUTES.find((route) => patternOf(route).test(path));
}

test("every page is checked for faults of accessibility, in both themes and on a narrow screen", () => {
  const listed = [...SIGNED_IN_PAGES.map(({ path }) => path), ...VISITOR_PAGES].map(routeOf);
  expect(listed).not.toContain(undefined);
  expect([...new Set([...listed, ...Object.keys(CHECKED_IN)])].toSorted()).toEqual(ROUTES.toSorted());
});

test.each(Object.entries(CHECKED_IN))("%s is checked in another file: %s", (_, [file, words]) => {
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(/await (expectNoFaultInEitherTheme|expectFitAndAccessible)\(|await findFaults\(/);
  expect(text).toContain(words);
});
