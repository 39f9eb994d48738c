/** A statement that the release before may not survive. */
export interface ContractStep {
  statement: string;
  why: string;
}

/** In a body, whose statements may be put together from texts. */
const IN_BODIES =
  /\bdo (?:language plpgsql )?(\$\w*\$)[\s\S]*?\b(drop|rename|truncate|set not null|add constraint)\b[\s\S]*?\1/i;

const RULES: readonly { pattern: RegExp; why: string }[] = [
  { pattern: /^drop (table|view|type|domain|schema|sequence)\b/, why: "drops what the previous release may read" },
  {
    pattern: /^drop (function|procedure|trigger)\b/,
    why: "drops a function or trigger that the previous release may use",
  },
  { pattern: /^truncate\b/, why: "deletes rows of the previous release" },
  { pattern: /^alter .*\brename\b/, why: "renames what the previous release names" },
  { pattern: /^alter table .*\bdrop column\b/, why: "drops a column that the previous release may read" },
  {
    pattern: /^alter table .*\bdrop constraint\b/,
    why: "drops a key that the previous release may name in ON CONFLICT",
  },
  { pattern: /^alter table .*\bdrop default\b/, why: "the previous release may leave the column out" },
  { pattern: /^alter table .*\bset not null\b/, why: "the previous release may write null" },
  {
    pattern: /^alter table .*\balter column \S+ (set data )?type\b/,
    why: "changes the type under prepared statements",
  },
  {
    pattern: /^alter table .*\badd (constraint|check|unique|foreign key)\b/,
    why: "may refuse rows of the previous release",
  },
  { pattern: /^alter table .*\bgenerated always as\b.*\bstored\b/, why: "rewrites the table under an exclusive lock" },
  { pattern: /^create unique index\b/, why: "may refuse rows of the previous release" },
];

/** Added columns need a default unless they can be null. */
const ADDED_COLUMN = /\badd column (?:if not exists )?(\w+) (.*?)(?=, add |, drop |, alter |$)/g;
const MARK = /^-- contract after (\S+): \S.*$/gm;

/**
 * Finds the statements of a migration that break a release which still runs, or which is started again after a bad
 * deployment. Tables that the migration creates itself are free.
 */
export function findContractSteps(sql: string): ContractStep[] {
  const statements = splitStatements(sql);
  const hidden = IN_BODIES.exec(sql.replace(/--[^\n]*/g, ""))?.[2];
  const own = new Set(statements.flatMap((one) => /^create table (?:if not exists )?(\w+)/.exec(one)?.[1] ?? []));
  const visible = statements
    .filter((statement) => !own.has(tableOf(statement)))
    .flatMap((statement) => {
      const found = RULES.filter(({ pattern }) => pattern.test(statement)).map(({ why }) => why);
      if (/^alter table\b/.test(statement)) {
        for (const [, name = "", rest = ""] of statement.matchAll(ADDED_COLUMN)) {
          const isFilled = /\bdefault\b|\bgenerated\b/.test(rest);
          if (/\bnot null\b/.test(rest) && !isFilled) found.push(`the previous release leaves out the column ${name}`);
        }
      }
      return found.map((why) => ({ statement: statement.slice(0, 100), why }));
    });
  return hidden === undefined ? visible : [...visible, { statement: "do", why: `a block says ${hidden}` }];
}

/**
 * Finds the release that a migration names in a line `-- contract after <release>: <reason>`: the last one that needed
 * what the migration removes. Null if it is not marked.
 */
export function findContractMark(sql: string): string | null {
  return [...sql.matchAll(MARK)].at(-1)?.[1] ?? null;
}

function tableOf(statement: string): string {
  const pattern =
    /^(?:alter table|drop table|truncate|create unique index(?: if not exists)? \w+ on) (?:if exists )?(?:only )?(\w+)/;
  return pattern.exec(statement)?.[1] ?? "";
}

/** Lower case, without comments, bodies and literals, each on one line. */
function splitStatements(sql: string): string[] {
  return sql
    .replace(/--[^\n]*/g, "")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "$$$$")
    .replace(/'(?:[^']|'')*'/g, "''")
    .split(";")
    .map((statement) => statement.replace(/\s+/g, " ").trim().toLowerCase())
    .filter((statement) => statement !== "");
}
