import { join } from "node:path";
import type { Site } from "#bench/faults/restore/open-source";
import { noteRow, type Row, zeroRow } from "#bench/faults/result-table";
import { administer } from "#bench/stage/administer";
import { newKeys } from "#bench/stage/stage";

/** Another instance's keys, and the product's error for them. */
const WRONG = [
  { what: "with another key", id: "k1", message: 'The key "k1" in ENCRYPTION_KEYS is not the one' },
  { what: "without the key", id: "k2", message: 'ENCRYPTION_KEYS lacks the key "k1"' },
];

/**
 * Returns the rows of the encryption keys: a restored database opens with its own keys, and no instance starts on it
 * with other keys.
 */
export async function keyRows(site: Site): Promise<Row[]> {
  const check = (keys?: string) => {
    const given = keys === undefined ? {} : { ENCRYPTION_KEYS: keys };
    return administer({ ...site.env, ...given, DATA_DIR: join(site.folder, "admin") }, ["check-encryption"]);
  };
  const { readable = {} } = await check();
  const values = Object.values(readable).reduce((sum, count) => sum + count, 0);
  const missing = ["connections", "trigger_subscriptions", "definitions", "run_checkpoints"].filter(
    (place) => !readable[place],
  );
  const rows = [
    noteRow("keys", "sealed values, all decrypted", String(values)),
    zeroRow("keys", "places without a value", missing.length),
  ];
  for (const { what, id, message } of WRONG) {
    const keys = newKeys(id);
    const says = await messageOf(check(keys));
    rows.push(zeroRow("keys", `check-encryption ${what}: not refused`, says.includes('the key "k1"') ? 0 : 1));
    const refusal = await messageOf(site.start(`${id}-of-another`, keys).then((machine) => machine.stop()));
    rows.push(zeroRow("keys", `start ${what}: not refused, or for another reason`, refusal.includes(message) ? 0 : 1));
  }
  return rows;
}

async function messageOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => "",
    (error: Error) => error.message,
  );
}
