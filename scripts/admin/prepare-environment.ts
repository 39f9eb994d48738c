import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { instanceEnvironment } from "#scripts/environment";
import { generatePrisma } from "#scripts/generate-prisma";
import { findInstance } from "#scripts/instance";
import { loadSecrets, type Secrets } from "#scripts/secrets";

let areKeysKnown = true;
let secretsFolder: string | null = null;

/** Where the instance keeps the keys it generated; null where they come from ENCRYPTION_KEYS. */
export function generatedSecretsFolder(): string | null {
  return secretsFolder;
}

/** Whether somebody said with which keys the instance seals: it could not open what others seal. */
export function areInstanceKeysKnown(): boolean {
  return areKeysKnown;
}

/**
 * Sets the environment that the use cases read: the database DATABASE_URL names, or that of the instance running on
 * DATA_DIR. Call it before anything of lib is imported, because its log is made then: stdout belongs to the answer.
 * @throws Error when no instance runs and none is named
 */
export async function prepareEnvironment(): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const dataDir = resolve(process.env.DATA_DIR || ".data");
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
  // In a clone that was never started, beside an instance that runs elsewhere.
  if (!existsSync(join("lib", "platform", "db", "generated", "client.ts"))) await generatePrisma();
  const settings = { mode: "production" as const, dataDir, host, port, databaseUrl, secrets };
  Object.assign(process.env, instanceEnvironment(settings), { LOG_LEVEL: "silent" });
}

/**
 * The instance's secrets, without making a data folder for a database that lives elsewhere. Keys that nothing else knows
 * do no harm: with them nothing opens and what needs it is refused, and what would be sealed asks assertKeysFit.
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
