import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, expect, test, vi } from "vitest";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const newKey = (id: string) => `${id}:${randomBytes(32).toString("base64")}`;
const [FIRST, SECOND, LOST] = [newKey("k1"), newKey("key-2"), newKey("k0")];
const WORKSPACE = randomUUID();
const SECRET = { token: "a secret" };

/** Loads the modules as in a process that was started with these keys. */
async function startedWith(...keys: string[]) {
  process.env.ENCRYPTION_KEYS = keys.join();
  vi.resetModules();
  const modules = {
    ...(await import("#lib/domain/resealing/reseal-values")),
    ...(await import("#lib/domain/resealing/sealed-columns")),
    ...(await import("#lib/domain/resealing/check-encryption")),
    ...(await import("#lib/domain/resealing/check-encryption-keys")),
    ...(await import("#lib/platform/secrets/seal")),
    ...(await import("#lib/platform/secrets/seal-text")),
    ...(await import("#lib/platform/db/pool")),
  };
  pools.push(modules.closeDb);
  return modules;
}
const pools: (() => Promise<void>)[] = [];
type Process = Awaited<ReturnType<typeof startedWith>>;

const VALUES: Record<string, unknown> = {
  jsonb: "{}",
  ARRAY: "{}",
  integer: 1,
  boolean: false,
  "timestamp with time zone": new Date(),
};

/** Inserts a row into any table with these columns, whatever else the table requires. */
async function insert({ db }: Process, table: string, columns: Record<string, unknown>): Promise<void> {
  const { rows } = await db().query<{ name: string; type: string }>({
    text: `select column_name as name, data_type as type from information_schema.columns
           where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null`,
    values: [table],
  });
  const filler = rows.map(
    ({ name, type }) => [name, type === "uuid" ? randomUUID() : (VALUES[type] ?? randomUUID())] as const,
  );
  const row = { ...Object.fromEntries(filler), ...columns };
  const values = Object.values(row);
  const text = `insert into ${table} (${Object.keys(row)}) values (${values.map((_, index) => `$${index + 1}`)})`;
  await db().query({ text, values });
}

/** Writes one sealed value into every column. */
async function insertEverywhere(process: Process): Promise<void> {
  const runId = randomUUID();
  for (const column of process.SEALED_COLUMNS) {
    const id = column.column === "input_sealed" ? runId : randomUUID();
    const key = {
      id,
      run_id: runId,
      node_id: `node ${id}`,
      iteration: "3",
      state_hash: randomBytes(32),
      user_id: WORKSPACE,
      workspace_id: WORKSPACE,
    };
    const named = Object.fromEntries(Object.keys(column.key).map((name) => [name, key[name as keyof typeof key]]));
    const owner = column.from === undefined ? { workspace_id: WORKSPACE } : {};
    const sealed = process.seal(WORKSPACE, column.contextOf(named), SECRET);
    await insert(process, column.table, { ...named, ...owner, [column.column]: sealed });
  }
}

/** Returns what a process reads from every column; throws if a value cannot be decrypted. */
async function readEverywhere({ db, SEALED_COLUMNS, unseal }: Process): Promise<unknown[]> {
  const read = SEALED_COLUMNS.map(async (column) => {
    const { rows } = await db().query<Record<string, unknown>>(`select * from ${column.table}`);
    return rows
      .filter((row) => row[column.column] !== null)
      .map((row) => unseal(WORKSPACE, column.contextOf(row), row[column.column] as Buffer));
  });
  return (await Promise.all(read)).flat();
}

const definitionWith = (...secrets: string[]) =>
  JSON.stringify({ nodes: secrets.map((secret) => ({ data: { secret } })) });

const first = await startedWith(FIRST);
// Rows without the rows they refer to, which are not under test.
await first.db().query(`do $$ declare c record; begin
  for c in select conrelid::regclass as t, conname from pg_constraint
    where contype in ('f', 'c') and coninhcount = 0 and connamespace = 'public'::regnamespace
  loop execute format('alter table %s drop constraint %I', c.t, c.conname); end loop; end $$`);
afterAll(async () => {
  for (const close of pools) await close();
});

test("every column of sealed values is known", async () => {
  const { rows } = await first.db().query<{ place: string }>(
    `select c.relname || '.' || a.attname as place from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relkind in ('r', 'p') and not c.relispartition and a.atttypid = 'bytea'::regtype and a.attname like '%sealed'
       and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const known = first.SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(rows.map(({ place }) => place)).toEqual(known.toSorted());
});

test("an instance does not start with a different key, or without one that is still needed", async () => {
  await first.checkEncryptionKeys();
  await first.checkEncryptionKeys();
  const other = await startedWith(newKey("k1"));
  await expect(other.checkEncryptionKeys()).rejects.toThrow('The key "k1" in ENCRYPTION_KEYS is not the one');
  const without = await startedWith(SECOND);
  await expect(without.checkEncryptionKeys()).rejects.toThrow('ENCRYPTION_KEYS lacks the key "k1"');
  expect([await without.forgetKey("k1"), await without.forgetKey("k1")]).toEqual([true, false]);
});

test("a database from before keys were remembered must decrypt with the given keys", async () => {
  const id = randomUUID();
  const sealed = first.seal(WORKSPACE, `credential|${id}`, SECRET);
  await insert(first, "connections", { id, workspace_id: WORKSPACE, credentials_sealed: sealed });
  for (const keys of [newKey("k1"), SECOND]) {
    const other = await startedWith(keys);
    await expect(other.checkEncryptionKeys()).rejects.toThrow(
      'opens nothing in this database, which is sealed with "k1"',
    );
  }
  await first.db().query({ text: "delete from connections where id = $1", values: [id] });
  process.env.ENCRYPTION_KEYS = FIRST;
  await first.checkEncryptionKeys();
});

test("everything is sealed with the new key while the instance runs, and the old one can be removed", async () => {
  await insertEverywhere(first);
  const sealed = first.sealText(WORKSPACE, "whsec");
  const workflow = { id: randomUUID(), workspace_id: WORKSPACE };
  await insert(first, "workflows", {
    ...workflow,
    draft: definitionWith(sealed, "sealed:by no one"),
    draft_revision: 7,
  });
  await insert(first, "workflow_versions", { workspace_id: WORKSPACE, definition: definitionWith(sealed) });

  const both = await startedWith(SECOND, FIRST);
  await expect(both.resealValues()).rejects.toThrow('No instance has started with "key-2" as the first key');
  await both.checkEncryptionKeys();
  const stranger = await startedWith(newKey("key-2"), FIRST);
  await expect(stranger.resealValues()).rejects.toThrow('The key "key-2" in ENCRYPTION_KEYS is not the one');
  const worker = { pool_id: "old", host: "here", key_id: "k1", last_seen_at: new Date() };
  await insert(first, "worker_heartbeats", worker);
  await expect(both.resealValues()).rejects.toThrow('A worker on here still seals with the key "k1"');
  await first.db().query("update worker_heartbeats set dead_at = now()");
  const columns = Map.groupBy(both.SEALED_COLUMNS, ({ table }) => table);
  const everywhere = Object.fromEntries([...columns].map(([table, ofTable]) => [table, ofTable.length]));
  const all = { ...everywhere, definitions: 1 };
  expect(await both.checkEncryption()).toEqual({ readable: all, unreadable: {}, unreadable_keys: [] });
  for (const keys of [SECOND, newKey("k1")]) {
    const { checkEncryption } = await startedWith(keys);
    expect(await checkEncryption()).toEqual({ readable: {}, unreadable: all, unreadable_keys: ["k1"] });
  }
  process.env.ENCRYPTION_KEYS = [SECOND, FIRST].join();
  const report = { key: "key-2", unreadable: {}, unneeded_keys: ["k1"] };
  expect(await both.resealValues()).toEqual({ ...report, resealed: { ...everywhere, definitions: 1 } });
  expect(await both.resealValues()).toEqual({ ...report, resealed: {} });

  const after = await startedWith(SECOND);
  await after.checkEncryptionKeys();
  expect(await readEverywhere(after)).toEqual(after.SEALED_COLUMNS.map(() => SECRET));
  const { rows } = await after.db().query<{ draft: string[]; version: string[]; draft_revision: number }>(
    `select jsonb_path_query_array(w.draft::jsonb, '$.nodes[*].data.secret') as draft, w.draft_revision,
       jsonb_path_query_array(v.definition::jsonb, '$.nodes[*].data.secret') as version from workflows w, workflow_versions v`,
  );
  const [row] = rows;
  expect(row).toEqual({
    draft: [row?.version[0], "sealed:by no one"],
    version: [expect.any(String)],
    draft_revision: 8,
  });
  expect(after.openText(WORKSPACE, row?.version[0] ?? "")).toBe("whsec");
});

test("a value that cannot be decrypted is counted and kept, and its key is still listed as needed", async () => {
  const lost = await startedWith(LOST, SECOND);
  await lost.checkEncryptionKeys();
  const id = randomUUID();
  await insert(lost, "connections", {
    id,
    workspace_id: WORKSPACE,
    credentials_sealed: lost.seal(WORKSPACE, "another place", SECRET),
  });
  const both = await startedWith(SECOND, LOST);
  expect(await both.resealValues()).toEqual({
    key: "key-2",
    resealed: {},
    unreadable: { connections: 1 },
    unneeded_keys: [],
  });
  expect(await both.checkEncryption()).toMatchObject({ unreadable: { connections: 1 }, unreadable_keys: ["k0"] });
  await expect((await startedWith(SECOND)).checkEncryptionKeys()).rejects.toThrow('lacks the key "k0"');
});
