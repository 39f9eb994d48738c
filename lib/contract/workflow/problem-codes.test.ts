import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PROBLEM_CODES } from "#lib/contract/workflow/problem-codes";

const CHECKS = ["lib/core/graph", "lib/domain"];

test("every code of the reference is one that a check reports", () => {
  const files = CHECKS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(name))
      .map((name) => readFileSync(`${folder}/${name}`, "utf8")),
  );
  const written = new Set(files.join("\n").match(/"[A-Z_]+"/g));
  expect(PROBLEM_CODES.filter((code) => !written.has(`"${code}"`))).toEqual([]);
});
