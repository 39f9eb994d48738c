import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { parentOf } from "#bench/measure/process-usage";
import { hashFiles } from "#scripts/build/hash-files";
import { findFreePort } from "#scripts/instance/find-free-port";
import { showStep } from "#scripts/progress";
import { runProgram } from "#scripts/run-program";

const APP = "bench/floor-app";
const NEXT = "node_modules/next/dist/bin/next";
const STAMP = join(APP, ".next", "sources.sha256");
const HOST = "127.0.0.1";

export interface Floor {
  url: string;
  /** The processes of the floor's server and of PostgreSQL. */
  servingPids: readonly number[];
  /** The time from the start of the floor's server to its first answer. */
  startedMs: number;
  stop(): Promise<void>;
}

interface FloorOptions {
  /** The product's database, for the floor's only table, so that both write to one server. */
  db: pg.Pool;
  databaseUrl: string;
}

/**
 * Starts a second Next application in its own production server. It has one route that answers JSON and one that
 * inserts a row. Its rates are the maximum for this machine, this Next, and this PostgreSQL. It is not part of the
 * product.
 */
export async function startFloor({ db, databaseUrl }: FloorOptions): Promise<Floor> {
  await build();
  await db.query(`create schema if not exists bench`);
  await db.query(`create table if not exists bench.floor (
    id uuid primary key default gen_random_uuid(), input jsonb not null, created_at timestamptz not null default now())`);
  const port = await findFreePort(0, HOST);
  const forkedMs = performance.now();
  const server = fork(NEXT, ["start", APP, "--hostname", HOST, "--port", String(port)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    // The server always ends with this process, like the product's web server.
    execArgv: ["--import", new URL("../../scripts/instance/exit-with-launcher.ts", import.meta.url).href],
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", DATABASE_URL: databaseUrl },
  });
  const url = `http://${HOST}:${port}`;
  await untilAnswering(`${url}/read`, server);
  const startedMs = performance.now() - forkedMs;
  const { rows } = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
  return {
    url,
    servingPids: [server.pid ?? 0, parentOf(rows[0]?.pid ?? 0)],
    startedMs,
    stop: async () => {
      server.kill("SIGTERM");
      if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
    },
  };
}

async function build(): Promise<void> {
  const sources = await hashFiles([join(APP, "app"), join(APP, "next.config.js"), "package-lock.json"]);
  if ((await readFile(STAMP, "utf8").catch(() => "")) === sources) return;
  await showStep("Building the floor application", async () => {
    await mkdir(join(APP, ".next"), { recursive: true });
    await runProgram(process.execPath, [NEXT, "build", APP], {
      env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    });
    await writeFile(STAMP, sources);
  });
}

async function untilAnswering(url: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const isOk = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isOk) return;
    await sleep(10);
  }
  throw new Error(`the floor application ended with ${server.exitCode}`);
}
