import { readFileSync } from "node:fs";
import type { Env } from "#lib/platform/config/env";

/** The settings that hold a secret. A file can hold each of them, as Docker and Kubernetes mount secrets. */
export const SECRET_SETTINGS = [
  "DATABASE_URL",
  "DATABASE_URL_DIRECT",
  "ENCRYPTION_KEYS",
  "NEXTAUTH_SECRET",
  "GITHUB_CLIENT_SECRET",
  "GOOGLE_CLIENT_SECRET",
  "OIDC_PROVIDERS",
  "CONNECTOR_OAUTH_CLIENTS",
  "SMTP_URL",
  "METRICS_TOKEN",
] as const satisfies readonly (keyof Env)[];

/**
 * Replaces every `<NAME>_FILE` by `<NAME>` with the content of the file, without the line break at its end. The launcher
 * calls it before anything reads a setting, so its processes and their settings do not know about files.
 * @throws Error naming a file that cannot be read, or a setting that has both
 */
export function readSecretFiles(environment: NodeJS.ProcessEnv): void {
  for (const name of SECRET_SETTINGS) {
    const variable = `${name}_FILE`;
    const path = environment[variable];
    if (!path) continue;
    if (environment[name]) throw new Error(`${name} and ${variable} are both set. Remove one of them.`);
    environment[name] = readSecret(variable, path);
    delete environment[variable];
  }
}

function readSecret(variable: string, path: string): string {
  try {
    const secret = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    if (secret !== "") return secret;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${variable}: cannot read ${path} (${code}). Check the path and who may read the file.`, {
      cause: error,
    });
  }
  throw new Error(`${variable}: ${path} is empty. Write the secret into it, or remove the variable.`);
}
