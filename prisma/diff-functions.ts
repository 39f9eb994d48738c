import pg from "pg";
import { readFunctionFiles } from "#prisma/function-file";

/**
 * Finds the functions and triggers in which a database and prisma/functions differ. It drops all of them, applies the
 * files, compares and rolls back, so use it only on a database without traffic.
 * @returns the names, sorted; [] if the two agree
 */
export async function diffFunctions(connectionString: string): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query("begin");
    const live = await readDefinitions(client);
    for (const { statement } of await dropStatements(client)) await client.query(statement);
    await client.query("set local check_function_bodies = off");
    for (const { sql } of await readFunctionFiles()) await client.query(sql);
    const files = await readDefinitions(client);
    const names = new Set([...live.keys(), ...files.keys()]);
    return [...names].filter((name) => live.get(name) !== files.get(name)).sort();
  } finally {
    await client.end();
  }
}

/** Maps the name of every function, procedure and trigger of our schema to its definition. */
async function readDefinitions(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select oid::regprocedure::text as name, pg_get_functiondef(oid) as definition from pg_proc
       where pronamespace = 'public'::regnamespace and prokind <> 'a'
     union all
     select format('%s on %s', t.tgname, t.tgrelid::regclass), pg_get_triggerdef(t.oid) || ' ' || t.tgenabled::text
       from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`,
  );
  return new Map(rows.map(({ name, definition }) => [name, definition]));
}

/** Cascades to triggers and generated columns. */
async function dropStatements(client: pg.Client): Promise<{ statement: string }[]> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('drop routine %s cascade', oid::regprocedure) as statement from pg_proc
       where pronamespace = 'public'::regnamespace and prokind <> 'a'`,
  );
  return rows;
}
