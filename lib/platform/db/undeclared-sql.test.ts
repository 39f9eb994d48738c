import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** They still send SQL that no test compares with the schema. The list only gets shorter. */
const UNDECLARED_SQL: string[] = [
  "lib/domain/actions",
  "lib/domain/connections",
  "lib/domain/connections/credentials",
  "lib/domain/connections/oauth",
  "lib/domain/custom-connectors",
  "lib/domain/publish",
  "lib/domain/resealing",
  "lib/domain/triggers",
  "lib/domain/triggers/activation",
  "lib/domain/triggers/deliveries",
  "lib/domain/triggers/listeners",
  "lib/domain/triggers/schedules",
  "lib/domain/triggers/tests",
  "lib/domain/workflows",
];

const EXEMPT = /\.(test|fixture)\.ts$|\/test-[^/]*$|^lib\/(platform\/db|api\/testing)\//;

test("product code sends only declared statements to PostgreSQL, or asks Prisma (docs/extending.md, Write a statement)", () => {
  const senders = ["lib", "worker"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map((entry) => ({ folder: entry.parentPath, path: join(entry.parentPath, entry.name) }))
      .filter(({ path }) => !EXEMPT.test(path) && /\.query\s*[(<]/.test(readFileSync(path, "utf8")))
      .map((file) => file.folder),
  );
  expect([...new Set(senders)].toSorted()).toEqual(UNDECLARED_SQL.toSorted());
});
