import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { generatePrisma } from "#scripts/build/generate-prisma";
import { instanceEnvironment } from "#scripts/instance/environment";
import { findInstance } from "#scripts/instance/instance";
import { loadSecrets, type Secrets } from "#scripts/instance/secrets";

let areKeysKnown = true;
let secretsFolder: string | null = null;

/** Returns the folder with the instance's generated keys, or null if ENCRYPTION_KEYS is set or DATA_DIR has no keys. */
export function generatedSecretsFolder(): string | null {
  return secretsFolder;
}

/**
 * Returns true if the instance's sealing keys are known. The instance could not open values that are sealed with other
 * keys.
 */
export function areInstanceKeysKnown(): boolean {
  return areKeysKnown;
}

/**
 * Sets the environment that the use cases read: the database in DATABASE_URL, or the database of the instance running
 * on DATA_DIR. Call it before importing anything from lib. lib creates its log on import, and stdout belongs to the
 * answer.
 * @throws Error if no instance runs and no database is named
 */
export async function prepareEnvironment(dataDir: string): Promise<void> {
  const instance = await findInstance(dataDir);
  const databaseUrl = process.env.DATABASE_URL || instance?.databaseUrl;
  if (!databaseUrl) {
    throw new Error(
      instance
        ? `The instance on ${dataDir} is ${instance.state} and has no database yet. Try again in a moment.`
        : `No instance runs on ${dataDir}. Start one with npm start, or name its database in DATABASE_URL.`,
    );
  }
  if (instance?.url && !process.env.PUBLIC_BASE_URL) process.env.PUBLIC_BASE_URL = instance.url;
  const port = Number(URL.parse(process.env.PUBLIC_BASE_URL ?? "")?.port || process.env.PORT || 3000);
  const host = process.env.HOST || "127.0.0.1";
  const isGenerated = existsSync(join(dataDir, "secrets.json"));
  areKeysKnown = Boolean(process.env.ENCRYPTION_KEYS) || isGenerated;
  secretsFolder = isGenerated && !process.env.ENCRYPTION_KEYS ? dataDir : null;
  const secrets = await findSecrets(dataDir);
  // Needed in a clone that was never started, if the instance runs elsewhere.
  if (!existsSync(join("lib", "platform", "db", "generated", "client.ts"))) await generatePrisma();
  const settings = { role: "all" as const, mode: "production" as const, dataDir, host, port, databaseUrl, secrets };
  Object.assign(process.env, instanceEnvironment(settings), { LOG_LEVEL: "silent" });
}

/**
 * Returns the instance's secrets. Creates no data folder if the database is elsewhere. New keys do no harm then: they
 * open nothing, so operations that need to open values are refused, and assertKeysFit guards sealing.
 */
async function findSecrets(dataDir: string): Promise<Secrets> {
  if (existsSync(join(dataDir, "secrets.json"))) return loadSecrets(dataDir);
  return {
    nextauthSecret: randomBytes(32).toString("base64url"),
    encryptionKeys: `k1:${randomBytes(32).toString("base64")}`,
    postgresPassword: "",
    demoPassword: "",
  };
}
