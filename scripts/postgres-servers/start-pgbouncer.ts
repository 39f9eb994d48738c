import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { requirePostgresUser } from "#scripts/postgres/postgres-user";
import { requirePgbouncer } from "#scripts/postgres-servers/require-pgbouncer";
import { readTail } from "#scripts/run-program";
import { reservePort } from "#scripts/testing/reserve-port";

export interface Pgbouncer {
  port: number;
  /** The URL of the same database through pgbouncer, as the same user. */
  url: string;
  pid: number;
  /** Returns the rows of a SHOW command of the console, such as `pools` or `clients`. */
  show(what: "clients" | "databases" | "pools" | "servers" | "stats"): Promise<Record<string, string>[]>;
  /** Sends new server connections to another server, as after a failover, and closes the current ones. */
  retarget(databaseUrl: string): Promise<void>;
  /** Starts pgbouncer again after it was killed, on the same port. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

interface PgbouncerOptions {
  /** The database behind pgbouncer. Its host, port, user, and password are used. */
  databaseUrl: string;
  /** The number of server connections for each user and database. */
  poolSize?: number;
  /** By default, a reserved port, so that pgbouncer can start on it again. */
  port?: number;
  /** Further lines of the section `[pgbouncer]`. */
  settings?: Readonly<Record<string, string>>;
}

const START_TRIES = 100;
/** The console's user, which exists in no database. */
const ADMIN = "pgbouncer_admin";

/**
 * Starts pgbouncer in transaction mode in front of a database, in a folder that is deleted with it. pgbouncer refuses
 * to run as root, so root runs it as PostgreSQL's user.
 */
export async function startPgbouncer(options: PgbouncerOptions): Promise<Pgbouncer> {
  const program = await requirePgbouncer();
  const folder = await mkdtemp(join(tmpdir(), `signalbox-pgbouncer-${process.pid}-`));
  const port = options.port ?? (await reservePort());
  const user = requirePostgresUser(folder);
  const logFile = join(folder, "pgbouncer.log");
  const target = new URL(options.databaseUrl);
  const console = `postgres://${ADMIN}:${target.password}@127.0.0.1:${port}/pgbouncer`;

  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    if (user) await chown(join(folder, name), user.uid, user.gid);
  };
  const configure = async (server: URL) => {
    const password = decodeURIComponent(target.password);
    const names = [decodeURIComponent(target.username), ADMIN];
    await write("users.txt", names.map((name) => `"${name}" "${password}"\n`).join(""));
    await write("pgbouncer.ini", configuration(server, { ...options, port, folder }));
  };

  const launch = async (): Promise<ChildProcess> => {
    const log = await open(logFile, "a", 0o600);
    const child = spawn(program, [join(folder, "pgbouncer.ini")], {
      ...user,
      cwd: "/",
      stdio: ["ignore", log.fd, log.fd],
    });
    await log.close();
    await untilReady(child, console, logFile);
    return child;
  };

  if (user) await chown(folder, user.uid, user.gid);
  await configure(target);
  let child = await launch();
  const url = new URL(options.databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    port,
    url: url.href,
    get pid() {
      return child.pid ?? 0;
    },
    show: (what) => ask(console, `show ${what}`),
    retarget: async (databaseUrl) => {
      await configure(new URL(databaseUrl));
      await ask(console, "reload");
      await ask(console, "reconnect");
    },
    restart: async () => {
      await end(child);
      child = await launch();
    },
    remove: async () => {
      await end(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configuration(
  server: URL,
  { port, folder, poolSize = 20, settings = {} }: PgbouncerOptions & { folder: string },
) {
  const lines = {
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: join(folder, "users.txt"),
    admin_users: ADMIN,
    pool_mode: "transaction",
    default_pool_size: String(poolSize),
    max_client_conn: "1000",
    // With the default of 15 s, pgbouncer would wait too long for a server that was just promoted.
    server_login_retry: "1",
    ...settings,
  };
  const database = server.pathname.slice(1);
  return `[databases]
${database} = host=${server.hostname} port=${server.port || 5432} dbname=${database}

[pgbouncer]
${Object.entries(lines)
  .map(([name, value]) => `${name} = ${value}`)
  .join("\n")}
`;
}

async function untilReady(child: ChildProcess, console: string, logFile: string): Promise<void> {
  for (let tries = START_TRIES; tries > 0 && child.exitCode === null; tries--) {
    try {
      await ask(console, "show version");
      return;
    } catch {
      await sleep(100);
    }
  }
  await end(child);
  throw new Error(`pgbouncer did not start.\n${await readTail(logFile)}`);
}

/** Sends a command to the console, which knows only the simple protocol. */
async function ask(console: string, command: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: console, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query(command)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  // This is pgbouncer's immediate shutdown.
  child.kill("SIGTERM");
  await exited;
}
