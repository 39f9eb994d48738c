import type pg from "pg";
import type { StatementDefinition } from "#lib/platform/db/define-statement";
import { describeStatement } from "#lib/platform/db/describe-statement.fixture";

/** Facts from the database's catalog: type names, and the columns that are never null. */
interface Catalog {
  typeNames: ReadonlyMap<number, string>;
  /**
   * True for columns that are never null, by `table.column`. Only for tables, because PostgreSQL reports nothing for
   * view columns.
   */
  isNotNull: ReadonlyMap<string, boolean>;
}

export async function readCatalog(client: pg.Client): Promise<Catalog> {
  const types = await client.query("select oid, oid::regtype::text as name from pg_type");
  const columns = await client.query(
    `select attrelid, attnum, attnotnull from pg_attribute join pg_class on pg_class.oid = attrelid
     where relkind in ('r', 'p') and attnum > 0`,
  );
  return {
    typeNames: new Map(types.rows.map((row) => [row.oid, row.name])),
    isNotNull: new Map(columns.rows.map((row) => [`${row.attrelid}.${row.attnum}`, row.attnotnull])),
  };
}

/** Lists the differences between a statement and the schema, one sentence each. Empty if they agree. */
export async function checkStatement(
  client: pg.Client,
  { typeNames, isNotNull }: Catalog,
  { sql, params = {}, row }: StatementDefinition,
): Promise<string[]> {
  const description = await describeStatement(client, sql).catch((error: Error) => error);
  if (description instanceof Error) return [`PostgreSQL does not prepare it: ${description.message}`];
  const faults: string[] = [];
  const nameOf = (oid: number) => typeNames.get(oid) ?? `type ${oid}`;

  const declaredParams = Object.entries(params).map(([name, { pg }]) => `${name}: ${pg}`);
  const actualParams = description.parameterOids.map((oid, index) => `${Object.keys(params)[index]}: ${nameOf(oid)}`);
  if (declaredParams.join() !== actualParams.join()) {
    faults.push(`parameters are (${actualParams.join(", ")}), declared (${declaredParams.join(", ")})`);
  }
  if (!row) return faults;

  const declaredRow = Object.entries(row).map(([name, { pg }]) => `${name}: ${pg}`);
  const actualRow = description.columns.map((column) => `${column.name}: ${nameOf(column.typeOid)}`);
  if (declaredRow.join() !== actualRow.join()) {
    return [...faults, `columns are (${actualRow.join(", ")}), declared (${declaredRow.join(", ")})`];
  }
  const hasOuterJoin = /\b(left|right|full)\s+(outer\s+)?join\b/i.test(sql);
  for (const { name, tableOid, columnNumber } of description.columns) {
    const isNeverNull = isNotNull.get(`${tableOid}.${columnNumber}`);
    const type = row[name];
    if (isNeverNull === undefined || type === undefined || hasOuterJoin) continue;
    if (!isNeverNull && !type.isNullable && !type.isFilled) faults.push(`column ${name} may be null`);
    if (isNeverNull && type.isNullable) faults.push(`column ${name} is never null, declared nullable`);
    if (isNeverNull && type.isFilled) faults.push(`column ${name} is never null, declared filled`);
  }
  return faults;
}
