import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";

/** Something that reads or writes rows, and its text. */
export interface Statement {
  name: string;
  text: string;
}

/**
 * Lists the tables whose rows belong to a workspace, from the catalog: they have the column `workspace_id`. A function that
 * returns rows of such a table is read like a table.
 */
export async function listTenantTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `with tables as (
       select c.relname as name, c.reltype from pg_attribute a join pg_class c on c.oid = a.attrelid
       join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
         and a.attname = 'workspace_id' and not a.attisdropped
     )
     select name from tables
     union select p.proname from pg_proc p join tables on reltype = p.prorettype where p.proretset order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** A comparison of the column, or its value in a new row. */
const COMPARES = new RegExp(
  [
    String.raw`workspace_id"?\s*(?:=|in\b|is not distinct from)`,
    String.raw`(?:=|is not distinct from)\s*(?:any\s*\()?\s*\w*\.?workspace_id`,
    String.raw`\([^()]*\bworkspace_id[^()]*\)\s*(?:=|in\b)`,
    String.raw`using\s*\([^()]*\bworkspace_id`,
    String.raw`insert into \w+(?: as \w+)?\s*\([^()]*\bworkspace_id`,
  ].join("|"),
  "i",
);

/** Returns the tenant tables that a statement reads or writes without comparing the workspace of their rows. */
export function findUncompared({ text }: Statement, tables: readonly string[]): string[] {
  const sql = text.replace(/--.*$/gm, "");
  if (COMPARES.test(sql)) return [];
  return tables.filter((table) =>
    new RegExp(String.raw`\b(?:from|join|into|update|using|lateral|,)\s+(?:only\s+)?(?:public\.)?${table}\b`, "i").test(
      sql,
    ),
  );
}

const PRISMA_CALL = /\bprisma(?:\(\))?\.(\w+)\.(\w+)\(/g;

/**
 * Lists the calls of Prisma's models in a source file. Their text is that of their arguments, of the constants in them, and
 * of the functions that they call.
 * @param functions the texts of all functions, by their names
 */
export function listPrismaCalls(
  path: string,
  source: string,
  functions: ReadonlyMap<string, string>,
): (Statement & { model: string })[] {
  return [...source.matchAll(PRISMA_CALL)].map((call) => {
    const [, model = "", method = ""] = call;
    const given = argumentsAt(source, call.index + call[0].length);
    const before = source.slice(0, call.index);
    const parts = [...given.matchAll(/\b[a-z]\w*\b(?!\s*:)/g)].map(
      ([word]) => constantAt(before, word) ?? functions.get(word) ?? "",
    );
    return { name: `${path}: ${model}.${method}`, model, text: [given, ...parts].join("\n") };
  });
}

/** Returns the last constant of this name in a text. */
function constantAt(text: string, name: string): string | null {
  const start = text.lastIndexOf(`const ${name} = `);
  if (start < 0) return null;
  const end = text.indexOf(";\n", start);
  return text.slice(start, end < 0 ? undefined : end);
}

/** Lists the functions of a source file with their texts. */
export function listFunctions(source: string): [string, string][] {
  return [...source.matchAll(/^(?:export )?(?:async )?function (\w+)[\s\S]*?^\}/gm)].map(([text, name = ""]) => [
    name,
    text,
  ]);
}

/** Returns the text up to the parenthesis that closes the call. */
function argumentsAt(source: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; end < source.length && depth > 0; end += 1) {
    if (source[end] === "(") depth += 1;
    else if (source[end] === ")") depth -= 1;
  }
  return source.slice(start, end - 1);
}

/** Lists the functions and triggers of the database, one per file. */
export function listSqlFunctions(): Statement[] {
  const folder = "prisma/functions";
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .map((file) => ({ name: file.slice(0, -".sql".length), text: readFileSync(join(folder, file), "utf8") }));
}

/** Reads the models of Prisma's schema and the tables that they stand for. */
export function readModels(): Map<string, string> {
  const schema = readFileSync("prisma/schema.prisma", "utf8");
  const models = [...schema.matchAll(/^model (\w+) \{([\s\S]*?)^\}/gm)];
  return new Map(
    models.map(([, name = "", body = ""]) => {
      const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name;
      return [name.charAt(0).toLowerCase() + name.slice(1), table];
    }),
  );
}
