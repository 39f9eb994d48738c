import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the gallery shows every component of the design system", () => {
  const pages = readdirSync("components/pages/design").filter((name) => name.endsWith(".tsx"));
  const gallery = pages.map((name) => readFileSync(`components/pages/design/${name}`, "utf8")).join("\n");
  const components = readdirSync("components/ui").filter((name) => name.endsWith(".tsx"));
  expect(components.filter((name) => !gallery.includes(`"@/components/ui/${name.slice(0, -4)}"`))).toEqual([]);
});
