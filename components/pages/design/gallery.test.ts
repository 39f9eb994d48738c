import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the gallery shows every component of the design system, by itself or as a part of another one", () => {
  const gallery = readAll(globSync("components/pages/design/*.tsx"));
  const components = globSync("components/{ui,words}/**/*.tsx").filter((path) => !/\.(test|fixture)\.tsx$/.test(path));
  const missing = components.filter((path) => !names(gallery, path));
  const shown = readAll(components.filter((path) => !missing.includes(path)));
  expect(missing.filter((path) => !names(shown, path))).toEqual([]);
});

function readAll(paths: readonly string[]): string {
  return paths.map((path) => readFileSync(path, "utf8")).join("\n");
}

function names(text: string, path: string): boolean {
  return text.includes(`"@/${path.slice(0, -".tsx".length)}"`);
}
