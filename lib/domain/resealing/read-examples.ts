import { SEALED_COLUMNS, type SealedColumn } from "#lib/domain/resealing/sealed-columns";
import { db } from "#lib/platform/db/pool";
import { canUnseal, keyIdOf } from "#lib/platform/secrets/seal";

interface Example {
  keyId: string;
  isOpened: boolean;
}

/** Every run writes these: they are too many to look through at a start. */
const LARGE = new Set(["runs", "run_checkpoints"]);

/** A sealed value of each column and key, and whether it opens. */
export async function readExamples(): Promise<Example[]> {
  const columns = SEALED_COLUMNS.filter(({ table }) => !LARGE.has(table));
  return (await Promise.all(columns.map(readColumn))).flat();
}

async function readColumn({ table, column, key, contextOf }: SealedColumn): Promise<Example[]> {
  const { rows } = await db().query<Record<string, unknown> & { owner: string; value: Buffer }>(
    `select distinct on (substring(t.${column} for 2 + get_byte(t.${column}, 1))) ${Object.keys(key)},
       workspace_id as owner, t.${column} as value
     from ${table} t where length(t.${column}) > 2`,
  );
  return rows.map(({ owner, value, ...rest }) => ({
    keyId: keyIdOf(value) ?? "none",
    isOpened: canUnseal(owner, contextOf(rest), value),
  }));
}
