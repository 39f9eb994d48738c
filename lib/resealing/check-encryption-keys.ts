import { db } from "#lib/db/pool";
import { encryptionKeys } from "#lib/secrets/encryption-keys";
import { seal, unseal } from "#lib/secrets/seal";

/** By key id a value sealed with that key, which tells whether a key of that id is the right one. */
type Samples = Readonly<Record<string, string>>;

const SETTING = "encryption_keys";
const CONTEXT = "encryption_key";
/** A sample belongs to no workspace. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

/**
 * Compares ENCRYPTION_KEYS with what this database was sealed with, and remembers the current key. To be called before
 * anything is sealed: a wrong key would otherwise be noticed when half of the values are sealed with one and half with
 * the other.
 * @throws Error naming the key that is missing or another one
 */
export async function checkEncryptionKeys(): Promise<void> {
  const { currentId, masters } = encryptionKeys();
  const samples = await readSamples();
  for (const [id, sample] of Object.entries(samples)) {
    if (!masters.has(id)) {
      throw new Error(
        `ENCRYPTION_KEYS lacks the key "${id}", with which values in this database are sealed. Put it behind the others; it can go once "npm run admin -- reseal" has named it as unneeded.`,
      );
    }
    if (!isOpenedBy(sample)) {
      throw new Error(
        `The key "${id}" in ENCRYPTION_KEYS is not the one this database was sealed with. Restore the instance's own: it stands in ENCRYPTION_KEYS, or in secrets.json below DATA_DIR, of whoever started it first.`,
      );
    }
  }
  if (currentId in samples) return;
  const sample = { [currentId]: seal(NOBODY, CONTEXT, currentId).toString("base64") };
  await db().query({
    text: `insert into instance_settings (name, value) values ($1, $2)
           on conflict (name) do update set value = excluded.value || instance_settings.value`,
    values: [SETTING, JSON.stringify(sample)],
  });
}

/** Whether an instance was started with the current key: before that nobody else could open what it seals. */
export async function isCurrentKeyKnown(): Promise<boolean> {
  return encryptionKeys().currentId in (await readSamples());
}

/** From now on the database can do without this key. */
export async function forgetKey(id: string): Promise<void> {
  await db().query({
    text: "update instance_settings set value = value - $2::text where name = $1",
    values: [SETTING, id],
  });
}

async function readSamples(): Promise<Samples> {
  const { rows } = await db().query<{ value: Samples }>({
    text: "select value from instance_settings where name = $1",
    values: [SETTING],
  });
  return rows[0]?.value ?? {};
}

function isOpenedBy(sample: string): boolean {
  try {
    unseal(NOBODY, CONTEXT, Buffer.from(sample, "base64"));
    return true;
  } catch {
    return false;
  }
}
