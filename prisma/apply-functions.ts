import type pg from "pg";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { type FunctionFile, readFunctionFiles, sha256 } from "#prisma/function-file";
import { migrationTransaction } from "#prisma/migration-transaction";

/**
 * One row for each set of files that was applied. The row applied last maps each function that came from a file and is
 * now in the database to its file's checksum.
 */
const CREATE_TABLE = `create table if not exists _function_sets (
  checksum varchar(64) primary key, functions jsonb not null, applied_at timestamptz not null)`;

/**
 * Applies the files of prisma/functions that changed, in one transaction: if one fails, all old functions stay. The caller
 * holds the lock of migrations. If nothing changed, it reads one small table and locks nothing; a changed file with a
 * trigger locks the trigger's table against writes until the commit.
 *
 * Releases run next to each other during an upgrade, so a function serves the release before its own, too:
 * - A changed signature (parameters or result) is refused. The new signature gets a new name; the old file stays until a
 *   later release, when no running code calls it.
 * - A function or trigger that came from a file is dropped by the first start of a release without that file. A set of
 *   files that was here before is an older release that starts again; it drops nothing, because a newer one may need it.
 * @returns the names of the functions it applied
 * @throws Error naming the file
 */
export async function applyFunctions(client: pg.Client, folder: string): Promise<string[]> {
  await client.query(CREATE_TABLE);
  const files = await readFunctionFiles(folder);
  const { rows } = await client.query<{ checksum: string; functions: Record<string, string> }>(
    "select checksum, functions from _function_sets order by applied_at desc",
  );
  const current = rows[0]?.functions ?? {};
  const ours = Object.fromEntries(files.map(({ name, checksum }) => [name, checksum]));
  const set = sha256(JSON.stringify(ours));
  const wasHere = rows.some((row) => row.checksum === set);
  const changed = files.filter(({ name, checksum }) => current[name] !== checksum);
  const gone = wasHere ? [] : Object.keys(current).filter((name) => !(name in ours));
  if (changed.length === 0 && gone.length === 0) return [];

  const left = Object.fromEntries(Object.entries(current).filter(([name]) => !gone.includes(name)));
  await migrationTransaction(client, async () => {
    // While this waits for a trigger's table, every later write to that table waits behind it, so a start that fails is
    // better than an endless stall. The timeout is above a second, so that PostgreSQL first cancels an autovacuum in
    // the way.
    await client.query("set local lock_timeout = '5s'");
    await replaceFunctions(client, changed);
    for (const name of gone) await dropFunction(client, name);
    await client.query(
      `insert into _function_sets (checksum, functions, applied_at) values ($1, $2, clock_timestamp())
       on conflict (checksum) do update set functions = excluded.functions, applied_at = excluded.applied_at`,
      [set, { ...left, ...ours }],
    );
  });
  return changed.map(({ name }) => name);
}

async function replaceFunctions(client: pg.Client, files: FunctionFile[]): Promise<void> {
  const names = files.map(({ name }) => name);
  const before = await readSignatures(client, names);
  // A body in SQL is checked against the functions it calls. The first pass creates all functions, the second checks
  // them, so files need no order.
  for (const check of ["off", "on"]) {
    await client.query(`set local check_function_bodies = ${check}`);
    for (const file of files) await replaceFunction(client, file, before);
  }
  const after = await readSignatures(client, names);
  for (const { name, triggers } of files) {
    if (before.has(name) && before.get(name) !== after.get(name)) throw signatureError(name, after.get(name));
    await dropTriggers(client, name, triggers);
  }
}

async function replaceFunction(client: pg.Client, file: FunctionFile, known: Map<string, string>): Promise<void> {
  try {
    await client.query(file.sql);
  } catch (error) {
    const { message } = error as Error;
    // The SQLSTATE with which PostgreSQL refuses another result, another parameter name or a missing default.
    if (isDatabaseFault(error, "invalid_definition") && known.has(file.name))
      throw signatureError(file.name, message, error);
    throw new Error(`function ${file.name} failed: ${message}`, { cause: error });
  }
}

function signatureError(name: string, detail: string | undefined, cause?: unknown): Error {
  const advice = "Give the new signature a new name and keep this file until a later release";
  return new Error(`function ${name} changed its signature. ${advice} (${detail}).`, { cause });
}

/** Maps a function's name to its parameters and result, or to all of them if the name is overloaded. */
async function readSignatures(client: pg.Client, names: string[]): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; signature: string }>(
    `select proname as name,
        string_agg(format('(%s) returns %s', pg_get_function_arguments(oid), pg_get_function_result(oid)), '; ' order by oid)
          as signature
       from pg_proc where pronamespace = current_schema()::regnamespace and proname = any($1) group by proname`,
    [names],
  );
  return new Map(rows.map(({ name, signature }) => [name, signature]));
}

async function dropFunction(client: pg.Client, name: string): Promise<void> {
  await dropTriggers(client, name, []);
  await runEach(
    client,
    `select format('drop function %s', oid::regprocedure) as statement from pg_proc
       where pronamespace = current_schema()::regnamespace and proname = $1`,
    [name],
  );
}

/** Drops the triggers that execute a function, except the ones to keep. */
async function dropTriggers(client: pg.Client, functionName: string, keep: string[]): Promise<void> {
  await runEach(
    client,
    `select format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass) as statement
       from pg_trigger t join pg_proc p on p.oid = t.tgfoid
       where p.pronamespace = current_schema()::regnamespace and p.proname = $1 and not t.tgisinternal
         and t.tgparentid = 0 and t.tgname <> all($2)`,
    [functionName, keep],
  );
}

/** Runs the statements that a query returns. */
async function runEach(client: pg.Client, query: string, values: unknown[]): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(query, values);
  for (const { statement } of rows) await client.query(statement);
}
