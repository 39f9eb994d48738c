import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const EXEMPT = /\.(test|fixture)\.ts$|\/test-[^/]*$|^lib\/(platform\/db|api\/testing)\//;

const FILES = ["lib", "worker"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !EXEMPT.test(path))
    .map((path) => ({ path, text: readFileSync(path, "utf8") })),
);

test("product code sends only declared statements to PostgreSQL, or asks Prisma (docs/extending.md, Write a statement)", () => {
  const senders = FILES.filter(({ text }) => /\.query\s*[(<]/.test(text));
  expect(senders.map(({ path }) => path)).toEqual([]);
});

test("SQL takes sets of words from the contract, with sqlSet", () => {
  const repeating = FILES.filter(({ text }) => /\bin\s*\(\s*'[a-z_]+'\s*,\s*'[a-z_]+'/.test(text));
  expect(repeating.map(({ path }) => path)).toEqual([]);
});

test("every statement that changes the status of a run asks the table of transitions for it", () => {
  const changing = FILES.filter(({ text }) => /\bupdate runs\b(?:(?!\bwhere\b)[^`])*\bstatus = /.test(text));
  expect(changing.length).toBeGreaterThan(5);
  expect(changing.filter(({ text }) => !text.includes("requireTransitions(")).map(({ path }) => path)).toEqual([]);
});
