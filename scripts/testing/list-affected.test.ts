import { describe, expect, test } from "vitest";
import { listAllSources } from "#lib/source-files.fixture";
import { listAffected } from "#scripts/testing/list-affected";

const source = (path: string, text: string, ...imports: string[]) => ({ path, text, imports });
const SOURCES = [
  source("lib/core/add.ts", ""),
  source("lib/core/sum.ts", "", "#lib/core/add"),
  source("lib/core/sum.test.ts", "", "#lib/core/sum", "vitest"),
  source("lib/core/other.test.ts", "// see lib/core/add.ts"),
  source("lib/core/child.test.ts", 'fork("lib/core/sum.ts")'),
  source("lib/core/example.test.ts", 'readdir(join(root, "../../examples/orders"))'),
  source("lib/prose.test.ts", ""),
  source("components/sum/sum-field.tsx", "", "@/components/sum/plus"),
  source("components/sum/sum-field.test.tsx", "", "@/components/sum/sum-field"),
  source("e2e/sums.spec.ts", ""),
  source("e2e/sum-field.spec.ts", ""),
  source("e2e/add.spec.ts", "", "#lib/core/add"),
];
const affected = (...changed: string[]) => listAffected(changed, SOURCES);

describe("the tests that a change can break", () => {
  test("are those that lead to it by imports or by a quoted path, and the tests of the whole project", () => {
    expect(affected("lib/core/add.ts")).toEqual({
      unit: ["lib/core/sum.test.ts", "lib/core/child.test.ts", "lib/prose.test.ts"],
      e2e: ["e2e/add.spec.ts"],
    });
    expect(affected("README.md")).toEqual({ unit: ["lib/prose.test.ts"], e2e: [] });
  });

  test("include those that name a folder of it", () => {
    expect(affected("examples/orders/flow.json").unit).toEqual(["lib/core/example.test.ts", "lib/prose.test.ts"]);
  });

  test("include the browser tests that are named after a changed folder", () => {
    expect(affected("components/sum/plus.tsx")).toEqual({
      unit: ["lib/prose.test.ts", "components/sum/sum-field.test.tsx"],
      e2e: ["e2e/sums.spec.ts", "e2e/sum-field.spec.ts"],
    });
  });

  test.each(["package-lock.json", "vitest.config.ts", "prisma/migrations/1_initial/migration.sql"])(
    "are all if %s changed",
    (path) => expect(affected(path).unit).toEqual([]),
  );

  test("include the tests of worker processes if a module changed that only the worker's program imports", () => {
    const { unit } = listAffected(["worker/supervise/stand-by.ts"], listAllSources());
    expect(unit).toContain("worker/stories/loops.test.ts");
  });
});
