import {
  countUnreadable,
  type Opened,
  type PlaceOpened,
  type PlaceResealed,
  type Resealed,
} from "#lib/domain/resealing/resealed";
import { SEALED_COLUMNS, type SealedColumn } from "#lib/domain/resealing/sealed-columns";
import {
  array,
  bytea,
  type ColumnType,
  type ColumnTypes,
  integer,
  nullable,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { canUnseal, currentPrefix, keyIdOf, seal, unseal } from "#lib/platform/secrets/seal";

/** Rows per statement: the output of a step may be a megabyte, and twice that in hexadecimal digits. */
const BATCH = 20;
/** No value starts with it: the first byte of a sealed value is its version. */
const NO_PREFIX = Buffer.from([0]);

interface SealedRow {
  key: Record<string, unknown>;
  workspaceId: string;
  sealed: Buffer;
}

type ResealableColumn = ReturnType<typeof defineColumn>;

const COLUMNS = SEALED_COLUMNS.map(defineColumn);

function defineColumn(column: SealedColumn) {
  return { ...column, selectBatch: defineSelect(column), updateBatch: defineUpdate(column) };
}

function defineSelect({ table, column, value, key, from }: SealedColumn) {
  const names = Object.keys(key).map((name) => `t.${name}`);
  const last = Object.values(key).map(({ pg }, index) => `$${index + 3}::${pg}`);
  return defineStatement({
    name: `read_sealed_${table}_${column}`,
    params: { prefixLength: integer, prefix: bytea, ...mapTypes(key, nullable) },
    row: { ...key, owner: uuid, value },
    sql: `select ${names}, workspace_id as owner, t.${column} as value from ${from ?? `${table} t`}
          where t.${column} is not null and substring(t.${column} for $1) <> $2
            and (${last[0]} is null or (${names}) > (${last}))
          order by ${names} limit ${BATCH}`,
    isPrepared: false,
  });
}

function defineUpdate({ table, column, key }: SealedColumn) {
  const names = Object.keys(key);
  const params = { ...mapTypes(key, array), before: array(bytea), next: array(bytea) };
  const lists = Object.values(params).map(({ pg }, index) => `$${index + 1}::${pg}`);
  return defineStatement({
    name: `reseal_${table}_${column}`,
    params,
    sql: `update ${table} t set ${column} = v.next from unnest(${lists}) as v (${names}, before, next)
          where ${names.map((name) => `t.${name} = v.${name}`).join(" and ")} and t.${column} = v.before`,
    isPrepared: false,
  });
}

function mapTypes(types: ColumnTypes, map: (type: ColumnType) => ColumnType): ColumnTypes {
  return Object.fromEntries(Object.entries(types).map(([name, type]) => [name, map(type)]));
}

/**
 * Seals values of other keys with the current one. A value that changes meanwhile is left to the writer that changed
 * it.
 */
export async function resealColumns(db: Db): Promise<PlaceResealed[]> {
  const places: PlaceResealed[] = [];
  for (const column of COLUMNS) places.push({ place: column.table, ...(await resealColumn(db, column)) });
  return places;
}

/** Decrypts every value, whichever key sealed it, and changes nothing. */
export async function openColumns(db: Db): Promise<PlaceOpened[]> {
  const places: PlaceOpened[] = [];
  for (const column of COLUMNS) places.push({ place: column.table, ...(await openColumn(db, column)) });
  return places;
}

async function openColumn(db: Db, column: ResealableColumn): Promise<Opened> {
  const total: Opened = { readable: 0, unreadable: new Map() };
  for (let after: SealedRow | undefined; ; ) {
    const rows = await readBatch(db, column, after, NO_PREFIX);
    if (rows.length === 0) return total;
    for (const { key, workspaceId, sealed } of rows) {
      if (canUnseal(workspaceId, column.contextOf(key), sealed)) total.readable += 1;
      else countUnreadable(total, keyIdOf(sealed) ?? "none");
    }
    after = rows.at(-1);
  }
}

async function resealColumn(db: Db, column: ResealableColumn): Promise<Resealed> {
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

async function readBatch(
  db: Db,
  { key, selectBatch }: ResealableColumn,
  after?: SealedRow,
  prefix: Buffer = currentPrefix(),
): Promise<SealedRow[]> {
  const last = Object.fromEntries(Object.keys(key).map((name) => [name, after?.key[name] ?? null]));
  const rows = await selectBatch.all(db, { ...last, prefixLength: prefix.length, prefix });
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

function writeBatch(
  db: Db,
  { key, updateBatch }: ResealableColumn,
  rows: readonly (SealedRow & { next: Buffer })[],
): Promise<number> {
  const keys = Object.fromEntries(Object.keys(key).map((name) => [name, rows.map((row) => row.key[name])]));
  return updateBatch.run(db, { ...keys, before: rows.map((row) => row.sealed), next: rows.map((row) => row.next) });
}
