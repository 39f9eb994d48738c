import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateFile } from "#scripts/instance/write-private-file";

/** The secrets of an instance, generated at its first start. */
export interface Secrets {
  nextauthSecret: string;
  /** The form of ENCRYPTION_KEYS: `k1:<base64 of 32 bytes>`. */
  encryptionKeys: string;
  postgresPassword: string;
  demoPassword: string;
  /** The raw API key of the demo workspace. Absent until the key is created. */
  demoKey?: string;
}

const FILE = "secrets.json";

/**
 * Returns the secrets in DATA_DIR/secrets.json, or new secrets, which are stored there in a file that only its owner
 * can read.
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, FILE);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text !== null) return parse(path, text);
  const secrets: Secrets = {
    nextauthSecret: randomBytes(32).toString("base64url"),
    encryptionKeys: `k1:${randomBytes(32).toString("base64")}`,
    postgresPassword: randomBytes(24).toString("base64url"),
    demoPassword: randomBytes(12).toString("base64url"),
  };
  await saveSecrets(dataDir, secrets);
  return secrets;
}

export async function saveSecrets(dataDir: string, secrets: Secrets): Promise<void> {
  await writePrivateFile(join(dataDir, FILE), `${JSON.stringify(secrets, null, 2)}\n`);
}

function parse(path: string, text: string): Secrets {
  let value: Partial<Secrets> = {};
  try {
    value = JSON.parse(text) as Partial<Secrets>;
  } catch {
    // The error below has all the details.
  }
  for (const name of ["nextauthSecret", "encryptionKeys", "postgresPassword", "demoPassword"] as const) {
    // A new secret would make everything encrypted with the old one unreadable forever.
    if (!value[name]) throw new Error(`${path} is damaged (no ${name}): restore it, or start over with --reset`);
  }
  return value as Secrets;
}
