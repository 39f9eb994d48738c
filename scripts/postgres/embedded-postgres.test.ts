import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "#scripts/postgres/embedded-postgres";
import { preparePostgresHome, readRecord, removePostgresHome, writeRecord } from "#scripts/postgres/postgres-home";
import { findPostmaster } from "#scripts/postgres/postgres-process";
import { reservePort } from "#scripts/testing/reserve-port";

const SETTINGS = { fsync: "off", shared_buffers: "16MB", max_connections: "10" };

let running: Cluster | null = null;

const root = await makeFolder();
afterEach(async () => {
  await running?.stop("immediate");
  running = null;
});
afterAll(() => removeFolder(root));

/** Creates a folder that PostgreSQL's user can enter, like the launcher does. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-cluster-"));
  await chmod(folder, 0o711);
  return folder;
}

/** Deletes the folder, and the files that were kept outside it if PostgreSQL's user cannot reach the clone. */
async function removeFolder(folder: string): Promise<void> {
  await removePostgresHome(folder);
  await rm(folder, { recursive: true, force: true });
}

/** Starts a folder's cluster. All tests share one by default, because initdb takes a second. */
async function start({ dataDir = root, password = "first" } = {}): Promise<Cluster> {
  const logFile = join(dataDir, "logs", "postgres.log");
  running = await startCluster({ dataDir, password, logFile, settings: SETTINGS });
  return running;
}

/** Starts the shared cluster on a port that nothing else takes while the cluster is stopped. */
async function startOnReservedPort(): Promise<Cluster> {
  const port = await reservePort();
  await writeRecord(root, { ...(await readRecord(root)), port });
  const cluster = await start();
  expect(cluster.port).toBe(port);
  return cluster;
}

async function query(url: string, sql: string): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows[0];
  } finally {
    await client.end();
  }
}

describe("the embedded PostgreSQL", () => {
  test("uses UTF-8 and UTC on any locale, listens on loopback only, and keeps the default durability", async () => {
    const cluster = await start();
    const row = await query(
      cluster.url("postgres"),
      `select current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone, lower('ÄÖ') as lower,
         current_setting('listen_addresses') as listen, current_setting('unix_socket_directories') as sockets,
         current_setting('synchronous_commit') as commit, current_setting('full_page_writes') as pages`,
    );
    expect(row).toEqual({
      encoding: "UTF8",
      zone: "UTC",
      lower: "äö",
      listen: "127.0.0.1",
      sockets: "",
      commit: "on",
      pages: "on",
    });
  });

  test("refuses connections without the password", async () => {
    const cluster = await start();
    const wrong = cluster.url("postgres").replace(":first@", ":second@");
    await expect(query(wrong, "select 1")).rejects.toMatchObject({ code: "28P01" });
  });

  test("keeps its port and its data after a restart", async () => {
    const first = await startOnReservedPort();
    await query(first.url("postgres"), "create table of_stop (n int)");
    await first.stop();
    const second = await start();
    expect(second.port).toBe(first.port);
    expect(await query(second.url("postgres"), "select count(*)::int as n from of_stop")).toEqual({ n: 0 });
  });

  test("uses another port if its own is taken", async () => {
    const first = await startOnReservedPort();
    await first.stop();
    const squatter = createServer().listen(first.port, "127.0.0.1");
    await once(squatter, "listening");
    try {
      const second = await start();
      expect(second.port).not.toBe(first.port);
      expect(await query(second.url("postgres"), "select 1 as one")).toEqual({ one: 1 });
      expect((await readRecord(root)).port).toBe(second.port);
    } finally {
      squatter.close();
    }
  });

  test("is reused by the next start if its launcher was killed", async () => {
    const first = await start();
    const before = await query(first.url("postgres"), "select pg_postmaster_start_time()::text as at");
    const second = await start();
    expect(second.port).toBe(first.port);
    expect(await query(second.url("postgres"), "select pg_postmaster_start_time()::text as at")).toEqual(before);
  });

  test("keeps everything that was committed after a kill", async () => {
    const first = await start();
    await query(first.url("postgres"), "create table of_kill as select 7 as n");
    const { cluster } = await preparePostgresHome(root);
    const postmaster = await findPostmaster(cluster);
    process.kill(postmaster?.pid ?? 0, "SIGKILL");
    const second = await start();
    expect(await query(second.url("postgres"), "select n from of_kill")).toEqual({ n: 7 });
  });

  test("starts despite a pid file whose process id now belongs to another process", async () => {
    const first = await start();
    await first.stop();
    const { cluster } = await preparePostgresHome(root);
    const lines = [process.pid, cluster, 0, first.port, "", "127.0.0.1", "0 0", "ready"];
    await writeFile(join(cluster, "postmaster.pid"), lines.join("\n"));
    const second = await start();
    expect(await query(second.url("postgres"), "select 1 as one")).toEqual({ one: 1 });
  });

  test("says what to do if the password file does not match the cluster", async () => {
    await start();
    await expect(start({ password: "second" })).rejects.toThrow(/--reset/);
  });

  test("starts over after an interrupted initdb", async () => {
    const dataDir = await makeFolder();
    try {
      const { cluster } = await preparePostgresHome(dataDir);
      await mkdir(`${cluster}.new/base`, { recursive: true });
      const started = await start({ dataDir });
      expect(await query(started.url("postgres"), "select 1 as one")).toEqual({ one: 1 });
    } finally {
      await removeFolder(dataDir);
    }
  });

  test.runIf(process.getuid?.() === 0)(
    "is kept outside a data folder that its user cannot enter, and a reset deletes both",
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), "signalbox-closed-"));
      try {
        const first = await start({ dataDir });
        expect(await query(first.url("postgres"), "select 1 as one")).toEqual({ one: 1 });
        const { outside } = await readRecord(dataDir);
        expect(outside).toMatch(/^\/var\/lib\/signalbox\//);
        await first.stop("immediate");
        await removePostgresHome(dataDir);
        expect(existsSync(outside ?? "")).toBe(false);
        expect(await readRecord(dataDir)).toEqual({});
      } finally {
        await removeFolder(dataDir);
      }
    },
  );
});
