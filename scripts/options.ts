import { parseArgs } from "node:util";

export interface LaunchOptions {
  port: number;
  reset: boolean;
  seed: boolean;
  /** Prints one JSON line on stdout instead of the text for people. */
  json: boolean;
}

export const USAGE = `npm start -- [options]     the production build
npm run dev -- [options]   with hot reload

  --port <n>   the port of the web server (PORT; 3000); the next free one when it is taken, any free one for 0
  --reset      deletes the database, the generated secrets and the logs of the data folder first
  --no-seed    no demo user and workflow on an empty database
  --json       prints one JSON line when ready
  --help       this text

Environment: DATA_DIR (.data), DATABASE_URL (your own PostgreSQL instead of the embedded one), HOST (127.0.0.1),
PUBLIC_BASE_URL, WORKERS (1) and the others in docs/reference/configuration.md. A file .env is read.`;

/**
 * Parses the options of a launch from the command line and the environment.
 * @returns null when help was requested
 * @throws Error naming the invalid option
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
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  const port = Number(values.port ?? (env.PORT || 3000));
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error("--port: must be a number from 0 to 65535");
  return { port, reset: values.reset, seed: values.seed, json: values.json };
}
