import { parseArgs } from "node:util";
import { PROCESS_ROLES, type ProcessRole } from "#lib/platform/config/env";

export interface LaunchOptions {
  port: number;
  reset: boolean;
  seed: boolean;
  /** Prints one JSON line on stdout instead of the text for people. */
  json: boolean;
  /** The processes that this machine runs. */
  role: ProcessRole;
}

export const USAGE = `npm start -- [options]     the production build
npm run dev -- [options]   with hot reload

  --port <n>   the port of the web server (PORT, default 3000). If it is taken, the next free port is used. 0 picks any
               free port
  --reset      deletes the database, the generated secrets and the logs of the data folder first
  --no-seed    does not create the demo user and workflow in an empty database
  --json       prints one JSON line when ready
  --web        starts only the web server; --worker starts only workers; --migrate applies the migrations and exits
               (ROLE). They need DATABASE_URL, ENCRYPTION_KEYS and NEXTAUTH_SECRET, the same on every machine
  --help       this text

Environment: DATA_DIR (.data), DATABASE_URL (your own PostgreSQL instead of the embedded one), HOST (127.0.0.1),
PUBLIC_BASE_URL, WORKERS (1), and the other settings in docs/reference/configuration.md. Settings in a .env file are
read, too.`;

/**
 * Parses the options of a launch from the command line and the environment.
 * @returns null if help was requested
 * @throws Error that names the invalid option
 */
export function parseOptions(args: string[], env: NodeJS.ProcessEnv): LaunchOptions | null {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      port: { type: "string" },
      reset: { type: "boolean", default: false },
      seed: { type: "boolean", default: true },
      json: { type: "boolean", default: false },
      web: { type: "boolean", default: false },
      worker: { type: "boolean", default: false },
      migrate: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  const port = Number(values.port ?? (env.PORT || 3000));
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error("--port: must be a number from 0 to 65535");
  const role = roleOf(values, env);
  if (role !== "all" && values.reset)
    throw new Error(`--reset: deletes the embedded database, which --${role} never uses`);
  return { port, reset: values.reset, seed: values.seed && role === "all", json: values.json, role };
}

/** Settings that every machine of an installation must get, because a machine cannot generate them alone. */
const SHARED_SETTINGS = ["DATABASE_URL", "ENCRYPTION_KEYS", "NEXTAUTH_SECRET"];

function roleOf(flags: { [Role in ProcessRole]?: boolean }, env: NodeJS.ProcessEnv): ProcessRole {
  const chosen = PROCESS_ROLES.filter((one) => flags[one]);
  if (chosen.length > 1) throw new Error(`${chosen.map((one) => `--${one}`).join(" and ")}: choose one`);
  const wanted = chosen[0] ?? (env.ROLE || "all");
  const role = PROCESS_ROLES.find((one) => one === wanted);
  if (role === undefined) throw new Error(`ROLE: must be ${PROCESS_ROLES.join(", ")}`);
  const missing = role === "all" ? [] : SHARED_SETTINGS.filter((name) => !env[name]);
  if (missing.length === 0) return role;
  throw new Error(`--${role} needs ${missing.join(" and ")}, the same on every machine`);
}
