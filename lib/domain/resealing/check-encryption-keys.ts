import { ApiError } from "#lib/contract/error/api-error";
import { jsonb, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { canUnseal, encryptionKeys, seal } from "#lib/platform/secrets/seal";

/** Maps each key id to a value sealed with that key, which shows whether a key with that id is the right one. */
type Samples = Readonly<Record<string, string>>;

const SETTING = "encryption_keys";
const CONTEXT = "encryption_key";
/** A sample belongs to no workspace. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

const selectSamples = defineStatement({
  name: "get_key_samples",
  params: { name: text },
  row: { value: jsonb<Samples>() },
  sql: "select value from instance_settings where name = $1",
  isPrepared: false,
});

const addSample = defineStatement({
  name: "add_key_sample",
  params: { name: text, sample: jsonb<Samples>() },
  sql: `insert into instance_settings (name, value) values ($1, $2)
        on conflict (name) do update set value = excluded.value || instance_settings.value`,
  isPrepared: false,
});

const removeSample = defineStatement({
  name: "remove_key_sample",
  params: { name: text, keyId: text },
  sql: "update instance_settings set value = value - $2::text where name = $1 and value ? $2::text",
  isPrepared: false,
});

/**
 * Compares ENCRYPTION_KEYS with the keys that sealed this database, and remembers the current key. Call it before
 * anything is sealed: otherwise a wrong key would be noticed only when half of the values are sealed with each.
 * @throws Error naming the key that is missing or different
 */
export async function checkEncryptionKeys(): Promise<void> {
  const { currentId } = encryptionKeys();
  const samples = await readSamples();
  assertRight(samples);
  if (currentId in samples) return;
  if (Object.keys(samples).length === 0) await assertOpensSomething();
  const sample = { [currentId]: seal(NOBODY, CONTEXT, currentId).toString("base64") };
  await addSample.run(db(), { name: SETTING, sample });
  // If two machines start for the first time at once, one of them was first.
  assertRight(await readSamples());
}

/**
 * Checks that the running processes can decrypt what this one seals: they were started with the same first key.
 * @throws ApiError BAD_REQUEST with what to do; a database that no instance was started on passes
 */
export async function requireStartedKey(): Promise<void> {
  const { currentId } = encryptionKeys();
  const samples = await readSamples();
  const sample = samples[currentId];
  if (sample !== undefined && !isOpenedBy(sample)) throw new ApiError("BAD_REQUEST", anotherKey(currentId));
  if (sample !== undefined || Object.keys(samples).length === 0) return;
  throw new ApiError(
    "BAD_REQUEST",
    `No instance has started with "${currentId}" as the first key in ENCRYPTION_KEYS. Put it first and restart every process, so that all of them can decrypt what it seals.`,
  );
}

/** Stops requiring a key: values that are still sealed with it stay unreadable. */
export async function forgetKey(id: string): Promise<boolean> {
  return (await removeSample.run(db(), { name: SETTING, keyId: id })) === 1;
}

async function readSamples(): Promise<Samples> {
  return (await selectSamples.first(db(), { name: SETTING }))?.value ?? {};
}

function assertRight(samples: Samples): void {
  const { masters } = encryptionKeys();
  for (const [id, sample] of Object.entries(samples)) {
    if (!masters.has(id)) {
      throw new Error(
        `ENCRYPTION_KEYS lacks the key "${id}", which sealed values in this database. Add it after the other keys. You can remove it when "npm run admin -- reseal" lists it as no longer needed. If it is lost, "npm run admin -- forget-encryption-key --id ${id}" gives up the values it sealed.`,
      );
    }
    if (!isOpenedBy(sample)) throw new Error(anotherKey(id));
  }
}

function anotherKey(id: string): string {
  return `The key "${id}" in ENCRYPTION_KEYS is not the one this database was sealed with. Restore the original key from ENCRYPTION_KEYS, or from secrets.json in DATA_DIR, of the machine that started first. If it is lost, "npm run admin -- forget-encryption-key --id ${id}" gives up the values it sealed.`;
}

/** A database from before keys were remembered: its values must decrypt, or the keys belong to another instance. */
async function assertOpensSomething(): Promise<void> {
  // What seals values is most of the product. Every start checks its keys, and only the first one needs it.
  const { readExamples } = await import("#lib/domain/resealing/read-examples");
  const examples = await readExamples();
  if (examples.length === 0 || examples.some((example) => example.isOpened)) return;
  const ids = [...new Set(examples.map(({ keyId }) => `"${keyId}"`))].join(", ");
  throw new Error(
    `ENCRYPTION_KEYS opens nothing in this database, which is sealed with ${ids}. These keys belong to another instance.`,
  );
}

function isOpenedBy(sample: string): boolean {
  return canUnseal(NOBODY, CONTEXT, Buffer.from(sample, "base64"));
}
