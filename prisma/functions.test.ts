import { globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ACTION_STATUSES } from "#lib/contract/action/action";
import { APPROVAL_STATUSES } from "#lib/contract/approval/approval";
import { EVENT_TYPES } from "#lib/contract/event/outbound-event";
import { RUN_STATUSES, TERMINAL_RUN_STATUSES } from "#lib/contract/run/run";
import { DELIVERY_VERDICTS, LISTENER_STATUSES } from "#lib/contract/trigger/trigger";
import { VERSION_STATUSES } from "#lib/contract/workflow/workflow";
import { FUNCTIONS_FOLDER, readFunctionFiles } from "#prisma/function-file";

const FILES = await readFunctionFiles();

const withoutComments = (sql: string): string => sql.replace(/^\s*--.*$/gm, "");

test("prisma/functions contains only SQL files", () => {
  expect(readdirSync(FUNCTIONS_FOLDER)).toEqual(FILES.map(({ name }) => `${name}.sql`));
});

describe.each(FILES)("the file of $name", ({ name, sql, triggers }) => {
  test("replaces the function it is named after and the triggers that execute it, and does nothing else", () => {
    const statements = sql.match(/^(create|drop|alter|insert|update|delete|select|do|grant|comment)\b.*/gim) ?? [];
    const [first, ...rest] = statements;
    expect(first).toMatch(new RegExp(`^create or replace function ${name}\\(`));
    expect(rest.map((statement) => statement.replace(/^(create or replace trigger \w+) .*/, "$1"))).toEqual(
      triggers.map((trigger) => `create or replace trigger ${trigger}`),
    );
    expect(sql.match(/execute function \w+/g) ?? []).toEqual(triggers.map(() => `execute function ${name}`));
  });

  test("starts with its contract, and its callers call it", () => {
    const header = /^(--.*\n)+/.exec(sql)?.[0] ?? "";
    expect(header).toMatch(new RegExp(`^-- ${name}: `));
    for (const part of ["Locks", "Called by", "SQL because"]) expect(header).toMatch(new RegExp(`^-- ${part}: `, "m"));
    const callers = /^-- Called by: ([\s\S]*?)^-- SQL because/m.exec(header)?.[1] ?? "";
    const paths = [...callers.matchAll(/`([^`]+)`/g)].map(([, path]) => `${path}.ts`);
    expect(paths.filter((path) => !readFileSync(path, "utf8").includes(`${name}(`))).toEqual([]);
    const inSql = FILES.filter((file) => file.name !== name && new RegExp(`\\b${file.name}\\b`).test(callers));
    expect(inSql.filter((file) => !withoutComments(file.sql).includes(`${name}(`))).toEqual([]);
    expect(paths.length + inSql.length > 0 || /\b(triggers?|generated column)\b/.test(callers)).toBe(true);
  });
});

describe("the terms of the contract", () => {
  const STATUSES: readonly string[] = [
    ...RUN_STATUSES,
    ...APPROVAL_STATUSES,
    ...ACTION_STATUSES,
    ...VERSION_STATUSES,
    ...LISTENER_STATUSES,
  ];
  const wordsOf = (sql: string, column: string): string[] =>
    [...sql.matchAll(new RegExp(`(?:\\b${column}\\s*(?:=|<>|:=)|'${column}',)\\s*'([^']*)'`, "g"))].map(
      ([, word = ""]) => word,
    );

  test.each([
    ["status", STATUSES],
    ["verdict", DELIVERY_VERDICTS],
  ])("each %s in a function is one of the contract's", (column, known: readonly string[]) => {
    const words = FILES.flatMap(({ sql }) => wordsOf(sql, column));
    expect(words).not.toEqual([]);
    expect(words.filter((word) => !known.includes(word))).toEqual([]);
  });

  test("each event type in a function is one of the contract's", () => {
    const types = FILES.flatMap(({ sql }) => sql.match(/(?<=')(run|circuit|schedule|listener|alert)\.\w+(?=')/g) ?? []);
    expect(types).not.toEqual([]);
    expect(types.filter((type) => !EVENT_TYPES.some((known) => known === type))).toEqual([]);
  });

  test("each list in a function matches the set named in the line above it", () => {
    const sets: Record<string, (words: string[]) => void> = {
      "run statuses, terminal at creation": (words) =>
        expect(TERMINAL_RUN_STATUSES).toEqual(expect.arrayContaining(words)),
      "event types, one per terminal run status": (words) =>
        expect(words.toSorted()).toEqual(TERMINAL_RUN_STATUSES.map((status) => `run.${status}`).toSorted()),
    };
    const lists = FILES.flatMap(({ sql }) => [...sql.matchAll(/(.*)\n.*\bin \(('[^)]*)\)/g)]);
    expect(lists).toHaveLength(FILES.flatMap(({ sql }) => sql.match(/\bin\s*\(\s*'/g) ?? []).length);
    for (const [, above = "", list = ""] of lists) {
      const check = sets[above.trim().replace("-- ", "")];
      if (!check) return expect.fail(`no set is named above (${list})`);
      check([...list.matchAll(/'([^']*)'/g)].map(([, word = ""]) => word));
    }
  });
});

describe("outside of prisma/functions", () => {
  const migrations = globSync("prisma/migrations/*/migration.sql").sort();

  test("a migration creates no function, procedure or trigger, except the function of a generated column", () => {
    const creates = /\bcreate\s+(?:or\s+replace\s+)?(?:constraint\s+)?(?:function|procedure|trigger)\s+\w+/gi;
    const created = migrations.flatMap((path) => readFileSync(path, "utf8").match(creates) ?? []);
    expect(created).toEqual(["create function error_words"]);
  });

  test("only functions touch graphile-worker's private tables", () => {
    const files = [
      ...globSync("{app,lib,worker,scripts,prisma}/**/*.{ts,tsx}"),
      ...globSync("prisma/functions/*.sql"),
      ...migrations,
    ].filter((path) => statSync(path).isFile() && !/\.(test|fixture)\.tsx?$/.test(path));
    const touching = files.filter((path) => readFileSync(path, "utf8").includes("_private_"));
    const functions = ["add_run_jobs", "is_job_due", "remove_left_run_jobs", "remove_run_jobs"];
    expect(touching).toEqual(functions.map((name) => `prisma/functions/${name}.sql`));
  });
});
