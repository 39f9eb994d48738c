import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const DOCUMENTS = [
  "README.md",
  ...readdirSync("docs").flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : [])),
];
const ENDINGS = ["", ".ts", ".tsx", ".mjs"];
const PATH_IN_PROJECT = /`((?:app|bench|components|docs|e2e|lib|prisma|scripts|worker)\/[\w./[\]-]*)`/g;
const LINK = /\]\(([^)\s#]*)(?:#([^)\s]*))?\)/g;

/** As GitHub makes them of headings. */
function anchorsOf(path: string): string[] {
  const headings = readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

describe.each(DOCUMENTS)("%s", (document) => {
  const text = readFileSync(document, "utf8");

  it("names files and folders that are there", () => {
    const named = [...text.matchAll(PATH_IN_PROJECT)].map(([, path = ""]) => path);
    expect(named.filter((path) => !ENDINGS.some((ending) => existsSync(path + ending)))).toEqual([]);
  });

  it("links to files and headings that are there", () => {
    const links = [...text.matchAll(LINK)].filter(([, path = ""]) => !/^[a-z]+:/.test(path));
    const broken = links.filter(([, path = "", anchor]) => {
      const target = path === "" ? document : normalize(join(dirname(document), path));
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});
