import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import {
  GENERATED_PARTS,
  listGeneratedParts,
  renderReferencePage,
} from "#lib/api/documentation/reference/reference-parts.fixture";
import { parseMarkdown } from "#lib/support/parse-markdown";

const DOCUMENTS = [
  ...globSync("*.md"),
  ...globSync("docs/**/*.md"),
  ...globSync("{examples,lib,components,worker}/**/README.md"),
  ...globSync("prisma/functions/*.sql"),
];
const ENDINGS = ["", ".ts", ".tsx", ".mjs"];
const PATH_IN_PROJECT = /`((?:app|bench|components|docs|e2e|examples|lib|prisma|scripts|worker)\/[\w./[\]-]*)`/g;
/** Comments and test names refer to a section as "contract, Limits" or "decisions, Replay: what is kept". */
const REFERENCE = /\b(contract|decisions)(, | §|: )(?=([A-Z\d].{0,60}))/g;
const END_OF_REFERENCE = /^[.:;)`"]/;
const DECISIONS = globSync("docs/decisions/*.md").filter((path) => !path.endsWith("README.md"));
const REFERRING = ["app", "bench", "components", "e2e", "examples", "lib", "prisma", "scripts", "worker"];
const LINK = /\]\(([^)\s#]*)(?:#([^)\s]*))?\)/g;

function anchorsOf(path: string): string[] {
  return [...parseMarkdown(readFileSync(path, "utf8")).headings.values()].map(({ id }) => id);
}

describe.each(DOCUMENTS)("%s", (document) => {
  const text = readFileSync(document, "utf8");

  it("names only existing files and folders", () => {
    const named = [...text.matchAll(PATH_IN_PROJECT)].map(([, path = ""]) => path);
    expect(named.filter((path) => !ENDINGS.some((ending) => existsSync(path + ending)))).toEqual([]);
  });

  it("names only words that exist in their files", () => {
    const named = [...text.matchAll(/`([\w./[\]-]+\.(?:tsx?|sql|prisma))` \(`(\w+)`\)/g)];
    const wrong = named.filter(([, path = "", name = ""]) => !readFileSync(path, "utf8").includes(name));
    expect(wrong.map(([match]) => match)).toEqual([]);
  });

  it("links only to existing files and headings", () => {
    const links = [...text.matchAll(LINK)].filter(([, path = ""]) => !/^[a-z]+:/.test(path));
    const broken = links.filter(([, path = "", anchor]) => {
      const target = path === "" ? document : normalize(join(dirname(document), path));
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});

describe("the reference pages", () => {
  const pages = globSync("docs/reference/*.md");

  it.each(pages)("%s matches the code (to update it: npm test -- unit lib/documentation --update)", async (page) => {
    await expect(renderReferencePage(page)).toMatchFileSnapshot(join(process.cwd(), page));
  });

  it("show every generated part exactly once", () => {
    expect(pages.flatMap(listGeneratedParts).toSorted()).toEqual(GENERATED_PARTS.toSorted());
  });
});

describe("the list of decisions", () => {
  const list = readFileSync("docs/decisions/README.md", "utf8").replace(/\n {2}/g, " ");

  it.each(DECISIONS)("names every heading of %s", (page) => {
    const [title = ""] = readHeadings(page, "#");
    const headings = readHeadings(page, "##").join(" · ");
    expect(list).toContain(`- [${title}](${basename(page)})${headings === "" ? "" : `: ${headings}`}\n`);
  });
});

describe("AGENTS.md", () => {
  const text = readFileSync("AGENTS.md", "utf8");
  const questions = [...text.matchAll(/^\| (.+\?) \| (.+) \| (.+) \|$/gm)];

  it.each(questions.map(([, question = "", places = "", more = ""]) => ({ question, places, more })))(
    "answers: $question",
    ({ places, more }) => {
      const named = [...places.matchAll(/`([\w./-]+)` \(`(\w+)`\)/g)];
      expect(named).not.toEqual([]);
      for (const [, path = "", word = ""] of named)
        expect(readFileSync(path, "utf8")).toMatch(new RegExp(`\\b${word}\\b`));
      expect(more).toMatch(/^\[.+\]\(docs\/.+\)$/);
    },
  );

  it("fits on a page, with at least ten questions and exactly ten rules", () => {
    expect(text.split("\n").length).toBeLessThanOrEqual(120);
    expect(questions.length).toBeGreaterThanOrEqual(10);
    expect(text.match(/^\d+\. /gm)).toHaveLength(10);
  });
});

describe("references in the code", () => {
  const sections = {
    contract: readHeadings("docs/contract.md", "##+"),
    decisions: DECISIONS.flatMap((path) => readHeadings(path, "#")),
  };

  it("resolve to a heading of docs/contract.md or the title of a page in docs/decisions", () => {
    const broken = REFERRING.flatMap(listReferringFiles).flatMap((path) =>
      [...joinCommentLines(readFileSync(path, "utf8")).matchAll(REFERENCE)].flatMap((match) => {
        const [, document = "", separator, rest = ""] = match;
        const heading = sections[document as keyof typeof sections].find(
          (name) => rest.startsWith(name) && END_OF_REFERENCE.test(rest.slice(name.length)),
        );
        // `decisions: Type` is code. With a heading after the colon, it is a reference in the wrong form.
        const isResolved = separator === ": " ? !heading : separator === ", " && heading;
        return isResolved ? [] : [`${path}: ${match[0]}${rest}`];
      }),
    );
    expect(broken).toEqual([]);
  });
});

function readHeadings(path: string, level: string): string[] {
  const headings = readFileSync(path, "utf8").matchAll(new RegExp(`^${level} (.+)$`, "gm"));
  return [...headings].map(([, text = ""]) => text);
}

/**
 * Lists the files that may contain references. Migrations are left out: after an instance has applied them, they never
 * change, not even in a comment.
 */
function listReferringFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs|sql|prisma|css)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/^lib\/platform\/db\/generated\/|^prisma\/migrations\/|\/\.next\//.test(path));
}

function joinCommentLines(text: string): string {
  return text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|--)? */g, " ");
}
