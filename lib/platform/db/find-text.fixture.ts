import { db } from "#lib/platform/db/pool";

/** For tests: lists every table of the database, from its catalog, so that a new table is searched, too. */
async function listTables(): Promise<string[]> {
  const { rows } = await db().query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** The condition that a row of `t` contains the text `s`, as plain text or as bytes. */
const CONTAINS = "(strpos(t::text, s) > 0 or strpos(t::text, encode(convert_to(s, 'UTF8'), 'hex')) > 0)";

/** For tests: lists the tables that contain this text anywhere. */
export async function tablesWith(text: string): Promise<string[]> {
  return (await placesOf([text])).map((place) => place.slice(0, place.indexOf(": ")));
}

/** For tests: lists where the texts are in the database, as "table: text". */
export async function placesOf(texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of await listTables()) {
    const sql = `select s from unnest($1::text[]) s where exists (select 1 from ${name} t where ${CONTAINS})`;
    const { rows } = await db().query<{ s: string }>(sql, [texts]);
    found.push(...rows.map(({ s }) => `${name}: ${s}`));
  }
  return found;
}
