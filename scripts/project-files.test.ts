import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";

// Checks that the files around the code (such as CONTRIBUTING.md, NOTICE, and .github) match the project.

interface PackageFile {
  version: string;
  engines: { node: string };
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
}
interface LockedPackage {
  license?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  devOptional?: boolean;
}
interface Workflow {
  jobs: Record<string, { steps: { uses?: string; run?: string }[] }>;
}
interface IssueForm {
  name: string;
  description: string;
  body: { type: string; id?: string; attributes: Record<string, unknown> }[];
}

const read = (path: string) => readFileSync(path, "utf8");
const PACKAGE = JSON.parse(read("package.json")) as PackageFile;
const WORKFLOW = ".github/workflows/ci.yml";
const WITH_COMMANDS = [
  ...globSync("*.md"),
  ...globSync(".github/**/*.md"),
  ...globSync("{docs,examples}/**/*.md"),
  WORKFLOW,
];
/** Matches npm commands. Placeholders such as `<folder>` and comments don't count. */
const COMMAND = /\bnpm (start|test|run(?: --silent)? ([\w:-]+))(?: -- ([\w-]+))?/g;

/** Returns the parts of `npm test` in its usage text. */
function partsOfTest(): string[] {
  const { stderr } = spawnSync(process.execPath, ["scripts/test.ts", "no-such-part"], { encoding: "utf8" });
  return (/\[([^\]]+)\]/.exec(stderr)?.[1] ?? "").split(" | ");
}

describe("the commands", () => {
  const parts = partsOfTest();

  test("npm test has the parts that its usage names", () => {
    expect(parts).toEqual(["checks", "unit", "e2e", "changed"]);
  });

  test.each(WITH_COMMANDS)("%s names only npm scripts and parts of npm test that exist", (path) => {
    const unknown = [...read(path).matchAll(COMMAND)].filter(([, command = "", script = command, part]) => {
      const isPart = script !== "test" || part === undefined || parts.includes(part);
      return !(script in PACKAGE.scripts && isPart);
    });
    expect(unknown.map(([match]) => match)).toEqual([]);
  });

  test("CI runs every part of npm test, and .ci/run runs npm test", () => {
    const { jobs } = load(read(WORKFLOW)) as Workflow;
    const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const tested = runs.flatMap((run) => /^npm test -- (\w+)$/.exec(run)?.[1] ?? []);
    // The last part is a selection from the others.
    expect([...tested, "changed"]).toEqual(parts);
    expect(read(".ci/run").trim().split("\n").at(-1)).toBe("npm test");
  });

  test("the shell accepts every step of CI and every command in the README of an example", () => {
    const { jobs } = load(read(WORKFLOW)) as Workflow;
    const steps = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const blocks = globSync("examples/*/README.md").flatMap((path) =>
      [...read(path).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block),
    );
    for (const script of [...steps, ...blocks]) execFileSync("sh", ["-n"], { input: script.replaceAll("${{", "$((") });
  });
});

describe("the issue forms", () => {
  const forms = globSync(".github/ISSUE_TEMPLATE/*.yml").filter((path) => !path.endsWith("config.yml"));

  test("exist for a bug and a feature", () => {
    expect(forms.toSorted()).toEqual([".github/ISSUE_TEMPLATE/bug.yml", ".github/ISSUE_TEMPLATE/feature.yml"]);
  });

  test.each(forms)("%s has what GitHub requires", (path) => {
    const { name, description, body } = load(read(path)) as IssueForm;
    expect([name, description].every((text) => text.length > 3)).toBe(true);
    const fields = body.filter(({ type }) => type !== "markdown");
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
    expect(fields.filter(({ id, attributes }) => !id || typeof attributes.label !== "string")).toEqual([]);
    const types = ["markdown", "textarea", "input", "dropdown", "checkboxes"];
    expect(body.filter(({ type }) => !types.includes(type))).toEqual([]);
  });
});

test(".nvmrc names the Node.js that the project installs, and engines allows it", () => {
  const version = read(".nvmrc").trim();
  const ownNode = JSON.parse(read("scripts/node/package.json")) as PackageFile;
  expect(version).toBe(ownNode.dependencies.node);
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = PACKAGE.engines.node.replace(">=", "").split(".").map(Number);
  expect(major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)).toBe(true);
});

test("CHANGELOG.md starts with unreleased changes, and the version of package.json is next", () => {
  const headings = [...read("CHANGELOG.md").matchAll(/^## (\S+)/gm)].map(([, heading]) => heading);
  expect(headings.slice(0, 2)).toEqual(["Unreleased", PACKAGE.version]);
});

test("the Helm chart has the version of package.json", () => {
  const versions = [...read("deploy/helm/signalbox/Chart.yaml").matchAll(/^(version|appVersion): "?([^"\n]+)/gm)];
  expect(versions.map(([, , version]) => version)).toEqual([PACKAGE.version, PACKAGE.version]);
});

/** Licenses that only require us to keep their text, which npm installs with each package. */
const PERMISSIVE = /^(MIT|MIT-0|ISC|MIT and ISC|0BSD|BSD-[23]-Clause|BlueOak-1\.0\.0|Apache-2\.0|Unlicense)$/;
/**
 * Licenses that require more than their text. We may use the packages, because each one is a separate file that we
 * neither change nor copy into our own, and npm installs its source or its license with it.
 */
const WITH_DUTIES = [
  // Shared libraries of sharp, which Next.js loads if it optimizes images. WebAssembly builds include them.
  /^(Apache-2\.0 AND )?LGPL-3\.0-or-later( AND MIT)?$/,
  // A build tool (lightningcss), browser data, and an argument parser.
  /^(MPL-2\.0|CC-BY-4\.0|Python-2\.0|PSF-2\.0)$/,
  // Fonts, which NOTICE names with their owner.
  /^OFL-1\.1$/,
  // A choice between two licenses. We choose MIT.
  /^\(MIT OR EUPL-1\.1\+\)$/,
];
/** Packages with the MIT license in their license files, although their package.json does not name it. */
const WITHOUT_FIELD = ["@tailwindcss/oxide-wasm32-wasi"];

describe("NOTICE", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, LockedPackage> };
  const notice = read("NOTICE").split("\n");
  const line = (name: string, license = "no license field") => `- ${name} (${license})`;

  test("lists every runtime dependency with its license", () => {
    const direct = Object.keys(PACKAGE.dependencies);
    const expected = direct.map((name) => line(name, packages[`node_modules/${name}`]?.license));
    expect(notice.filter((entry) => expected.includes(entry)).toSorted()).toEqual(expected.toSorted());
  });

  test("no production package has a license outside the allowed list", () => {
    const refused = Object.entries(packages).flatMap(([path, { license, dev, devOptional, optional, os }]) => {
      const name = path.replace(/^.*node_modules\//, "");
      const isPlatform = optional && os !== undefined && license === undefined;
      if (path === "" || dev || devOptional || isPlatform || WITHOUT_FIELD.includes(name)) return [];
      const isAllowed = [PERMISSIVE, ...WITH_DUTIES].some((allowed) => allowed.test(license ?? ""));
      return isAllowed ? [] : [line(name, license)];
    });
    expect(refused).toEqual([]);
  });

  test("lists every other package whose license requires more than its text, and nothing else", () => {
    const direct = Object.keys(PACKAGE.dependencies);
    const unusual = Object.entries(packages).flatMap(([path, { license, dev, devOptional, optional, os }]) => {
      const name = path.replace(/^.*node_modules\//, "");
      // In the lockfile, the programs of other platforms have no license. Their parent package has it.
      const isPlatform = optional && os !== undefined && license === undefined;
      const isUsual = path === "" || dev || devOptional || isPlatform || PERMISSIVE.test(license ?? "");
      return isUsual || direct.includes(name) ? [] : [line(name, license)];
    });
    const listed = notice.filter((entry) => entry.startsWith("- "));
    const others = listed.filter((entry) => !direct.some((name) => entry.startsWith(`- ${name} (`)));
    expect(others.toSorted()).toEqual([...new Set(unusual)].toSorted());
  });
});
