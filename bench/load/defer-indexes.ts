import type pg from "pg";
import { showStep } from "#scripts/progress";

interface StoredIndex {
  name: string;
  definition: string;
}

/**
 * Drops the indexes of some tables while many rows are written. PostgreSQL then builds each index at the end with a
 * sort, instead of growing it row by row. Primary keys stay, because their rows arrive in order, which costs little.
 * @returns a function that creates the indexes again
 */
export async function deferIndexes(db: pg.Client, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows } = await db.query<StoredIndex>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = any($1::regclass[]) and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)
     order by name`,
    [tables],
  );
  for (const { name } of rows) await db.query(`drop index ${name}`);
  return async () => {
    await showStep(`Making ${rows.length} indexes`, async () => {
      // PostgreSQL lists an index of a partitioned table without the indexes of its partitions.
      for (const { definition } of rows) await db.query(definition.replace(" ON ONLY ", " ON "));
    });
  };
}
