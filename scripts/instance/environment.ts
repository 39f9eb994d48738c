import type { ProcessRole } from "#lib/platform/config/env";
import type { Secrets } from "#scripts/instance/secrets";

interface InstanceSettings {
  mode: "production" | "development";
  dataDir: string;
  host: string;
  port: number;
  databaseUrl: string;
  secrets: Secrets;
  role: ProcessRole;
}

/**
 * Returns the environment of all processes of an instance. Values that the user set take precedence, and the rest is
 * derived. Every address uses the port that was found free.
 */
export function instanceEnvironment(settings: InstanceSettings): NodeJS.ProcessEnv {
  const given = process.env;
  const publicUrl = given.PUBLIC_BASE_URL || defaultUrl(settings.host, settings.port);
  return {
    ...given,
    NODE_ENV: settings.mode,
    ROLE: settings.role,
    DATABASE_URL: settings.databaseUrl,
    DATA_DIR: settings.dataDir,
    HOST: settings.host,
    PORT: String(settings.port),
    PUBLIC_BASE_URL: publicUrl,
    // Never derived: if it is set, services are asked to call it, and they can't reach a laptop (decisions, Connector
    // events). Empty instead of undefined, which would become the text "undefined" in process.env.
    WEBHOOK_BASE_URL: given.WEBHOOK_BASE_URL || "",
    NEXTAUTH_URL: given.NEXTAUTH_URL || publicUrl,
    NEXTAUTH_SECRET: given.NEXTAUTH_SECRET || settings.secrets.nextauthSecret,
    ENCRYPTION_KEYS: given.ENCRYPTION_KEYS || settings.secrets.encryptionKeys,
    NEXT_TELEMETRY_DISABLED: "1",
  };
}

/**
 * Returns the default address of the server. A server that listens on one network address has no other address, and
 * refuses requests for names that it does not know.
 */
function defaultUrl(host: string, port: number): string {
  return isLoopback(host) || isAnyAddress(host) ? `http://localhost:${port}` : localUrl(host, port);
}

function isAnyAddress(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/**
 * Returns the address for a HOST. By default only this machine can connect. `localhost` would be IPv6 on some systems.
 */
export function listenAddress(given: string | undefined): string {
  return !given || given === "localhost" ? "127.0.0.1" : given;
}

/** Returns true for addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === "::1" || /^127\./.test(host);
}

/** Returns the URL at which this machine reaches a server that listens on `host`. */
export function localUrl(host: string, port: number): string {
  const reachable = isAnyAddress(host) ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}
