import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readSecretFiles } from "#lib/platform/config/read-secret-files";

/**
 * Reads the settings of the user: `.env` and the files of secrets.
 * @returns the data folder
 */
export function readSettings(): string {
  if (existsSync(".env")) process.loadEnvFile(".env");
  readSecretFiles(process.env);
  return resolve(process.env.DATA_DIR || ".data");
}
