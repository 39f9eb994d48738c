import { countUnreadable, type Resealed } from "#lib/domain/resealing/resealed";
import type { SealedColumn } from "#lib/domain/resealing/sealed-columns";
import type { Db } from "#lib/platform/db/pool";
import { currentPrefix, keyIdOf, seal, unseal } from "#lib/platform/secrets/seal";

/** Rows a statement reads or writes: the output of a step may be a megabyte, twice that as hexadecimal digits. */
const BATCH = 20;

interface SealedRow {
  key: Record<string, unknown>;
  workspaceId: string;
  sealed: Buffer;
}

/** Seals with the current key what another one sealed. A value that changes meanwhile is left to whoever changed it. */
export async function resealColumn(db: Db, column: SealedColumn): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: new Map() };
  for (let after: SealedRow | undefined; ; ) {
    const rows = await readBatch(db, column, after);
    if (rows.length === 0) return total;
    const opened = rows.flatMap((row) => {
      const next = resealRow(column, row);
      if (next === null) countUnreadable(total, keyIdOf(row.sealed) ?? "none");
      return next === null ? [] : [{ ...row, next }];
    });
    total.resealed += await writeBatch(db, column, opened);
    after = rows.at(-1);
  }
}

async function readBatch(db: Db, { table, column, key, from }: SealedColumn, after?: SealedRow): Promise<SealedRow[]> {
  const names = Object.keys(key).map((name) => `t.${name}`);
  const last = Object.values(key).map((type, index) => `$${index + 3}::${type}`);
  const isAfter = after ? `and (${names}) > (${last})` : "";
  const prefix = currentPrefix();
  const { rows } = await db.query<Record<string, unknown> & { owner: string; value: Buffer }>({
    text: `select ${names}, workspace_id as owner, t.${column} as value from ${from ?? `${table} t`}
           where t.${column} is not null and substring(t.${column} for $1) <> $2 ${isAfter}
           order by ${names} limit ${BATCH}`,
    values: [prefix.length, prefix, ...(after ? Object.values(after.key) : [])],
  });
  return rows.map(({ owner, value, ...rest }) => ({ key: rest, workspaceId: owner, sealed: value }));
}

function resealRow({ contextOf }: SealedColumn, { key, workspaceId, sealed }: SealedRow): Buffer | null {
  const context = contextOf(key);
  try {
    return seal(workspaceId, context, unseal(workspaceId, context, sealed));
  } catch {
    return null;
  }
}

async function writeBatch(
  db: Db,
  { table, column, key }: SealedColumn,
  rows: readonly (SealedRow & { next: Buffer })[],
): Promise<number> {
  const names = Object.keys(key);
  const types = [...Object.values(key), "bytea", "bytea"];
  const { rowCount } = await db.query({
    text: `update ${table} t set ${column} = v.next
           from unnest(${types.map((type, index) => `$${index + 1}::${type}[]`)}) as v (${names}, before, next)
           where ${names.map((name) => `t.${name} = v.${name}`).join(" and ")} and t.${column} = v.before`,
    values: [
      ...names.map((name) => rows.map((row) => row.key[name])),
      rows.map((row) => row.sealed),
      rows.map((row) => row.next),
    ],
  });
  return rowCount ?? 0;
}
