import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CONNECTORS } from "#lib/connectors/registry";
import { EVENT_KINDS } from "#lib/contract/run/journal";
import { limitsOfPlan, PLAN_LIMITS } from "#lib/contract/workspace/plans";
import { listTestNames } from "#lib/read-prose.fixture";

const CONTRACT = readFileSync("docs/contract.md", "utf8");
const ROW = /^\| .+ \| `([^`]+)` \| `([^`]+)` \|$/;

interface Section {
  heading: string;
  rows: string[];
}

/** Reads the second-level and third-level sections of a document, each with the rows of its tables. */
function readSections(text: string): Section[] {
  return text
    .split(/^#{2,3} /m)
    .slice(1)
    .map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      return { heading, rows: lines.filter((line) => line.startsWith("| ") && !line.startsWith("| promise ")) };
    });
}

/** Reads the words in code that start the rows of a section, with those that follow in the row. */
function readCodes(heading: string): [first: string, others: string[]][] {
  const rows = readSections(CONTRACT).find((section) => section.heading === heading)?.rows ?? [];
  return rows.flatMap((row) => {
    const [first, ...others] = [...row.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
    return first !== undefined && row.startsWith(`| \`${first}\``) ? [[first, others] as [string, string[]]] : [];
  });
}

describe("docs/contract-tests.md", () => {
  const sections = readSections(readFileSync("docs/contract-tests.md", "utf8"));
  const rows = sections.flatMap((section) => section.rows);

  it("has a table for every section of the contract, in its order", () => {
    expect(sections.map(({ heading }) => heading)).toEqual(readSections(CONTRACT).map(({ heading }) => heading));
    expect(sections.filter((section) => section.rows.length === 0)).toEqual([]);
  });

  it("names a test that exists in every row", () => {
    const named = rows.map((row) => ({ row, path: ROW.exec(row)?.[1] ?? "", name: ROW.exec(row)?.[2] ?? "" }));
    const paths = [...new Set(named.map(({ path }) => path))].filter((path) => existsSync(path));
    const names = new Map(paths.map((path) => [path, listTestNames(path)]));
    const wrong = named.filter(({ path, name }) => !name || !names.get(path)?.some((test) => test.includes(name)));
    expect(wrong).toEqual([]);
  });
});

describe("the code", () => {
  it("the journal has exactly the kinds of event that the contract lists", () => {
    expect(readCodes("Journal").map(([kind]) => kind)).toEqual(EVENT_KINDS);
  });

  it("connectors have exactly the events that the contract lists", () => {
    const events = CONNECTORS.map(({ name, triggers = {} }) => [name, Object.keys(triggers)] as const);
    const sorted = (list: readonly (readonly [string, readonly string[]])[]) =>
      Object.fromEntries(list.map(([name, of]) => [name, of.toSorted()]));
    expect(sorted(readCodes("Triggers"))).toEqual(sorted(events.filter(([, of]) => of.length > 0)));
  });

  it.each([null, undefined, "", "enterprise"])(
    "a plan that is unknown or missing has the limits of free: %j",
    (plan) => {
      expect(limitsOfPlan(plan)).toBe(PLAN_LIMITS.free);
    },
  );
});
