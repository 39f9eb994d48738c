import { SEALED_COLUMNS, type SealedColumn } from "#lib/domain/resealing/sealed-columns";
import { uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { canUnseal, keyIdOf } from "#lib/platform/secrets/seal";

interface Example {
  keyId: string;
  isOpened: boolean;
}

/** Every run writes these tables: they are too large to search at startup. */
const LARGE = new Set(["runs", "run_checkpoints"]);

const COLUMNS = SEALED_COLUMNS.filter(({ table }) => !LARGE.has(table)).map((column) => ({
  contextOf: column.contextOf,
  selectExamples: defineSelect(column),
}));

function defineSelect({ table, column, value, key, from }: SealedColumn) {
  const names = Object.keys(key).map((name) => `t.${name}`);
  return defineStatement({
    name: `read_examples_of_${table}_${column}`,
    row: { ...key, owner: uuid, value },
    sql: `select distinct on (substring(t.${column} for 2 + get_byte(t.${column}, 1))) ${names},
            workspace_id as owner, t.${column} as value
          from ${from ?? `${table} t`} where length(t.${column}) > 2`,
    isPrepared: false,
  });
}

/** Returns one sealed value of each column and key, and whether it can be decrypted. */
export async function readExamples(): Promise<Example[]> {
  return (await Promise.all(COLUMNS.map(readColumn))).flat();
}

async function readColumn({ contextOf, selectExamples }: (typeof COLUMNS)[number]): Promise<Example[]> {
  const rows = await selectExamples.all(db());
  return rows.map(({ owner, value, ...key }) => ({
    keyId: keyIdOf(value) ?? "none",
    isOpened: canUnseal(owner, contextOf(key), value),
  }));
}
