import { db } from "#lib/platform/db/pool";

/** For tests: lists the tables that contain this text anywhere, as plain text or as bytes. */
export async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await db().query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'graphile_worker') order by 1`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const hits = await db().query(
      `select 1 from ${name} t where strpos(t::text, $1) > 0 or strpos(t::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0
       limit 1`,
      [text],
    );
    if (hits.rows.length > 0) found.push(name);
  }
  return found;
}
