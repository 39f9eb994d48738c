import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { LeaseLost } from "#lib/core/engine/lease-lost";
import {
  classifyDatabaseError,
  type DatabaseFault,
  findUnavailableReason,
  isTransientDatabaseError,
  wasRefused,
} from "#lib/platform/db/classify-database-error";
import { connectionOptions } from "#lib/platform/db/connection-options";
import { PrismaClient } from "#lib/platform/db/generated/client";
import { createPool } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const SHORT_MS = 200;

/** Far longer than a busy machine needs to connect or to answer: a test about a timeout sets its own. */
const PATIENT = { query_timeout: 50_000, connectionTimeoutMillis: 50_000, idleTimeoutMillis: 0 };

/** A pool of one connection. */
function openPool(connectionString = process.env.DATABASE_URL ?? "", options: pg.PoolConfig = {}): pg.Pool {
  return createPool({ ...connectionOptions(connectionString), max: 1, ...PATIENT, ...options });
}

const clients = new WeakMap<pg.Pool, PrismaClient>();

function prismaOn(pool: pg.Pool): PrismaClient {
  const client = clients.get(pool) ?? new PrismaClient({ adapter: new PrismaPg(pool) });
  clients.set(pool, client);
  return client;
}

/** Returns the fault of one statement, first from pg, then through Prisma on the same pool. */
async function faultsOf(pool: pg.Pool, text: string): Promise<unknown[]> {
  const faults = [];
  for (const run of [() => pool.query(text), () => prismaOn(pool).$executeRawUnsafe(text)]) {
    const error = await run().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    faults.push(classifyDatabaseError(error)?.fault);
  }
  return faults;
}

const twice = (fault: DatabaseFault) => [fault, fault];

const pool = openPool();
afterAll(() => pool.end());

describe("an error that PostgreSQL answered", () => {
  test.each([
    ["22P02", "invalid_text"],
    ["22P05", "invalid_text"],
    ["22003", "invalid_data"],
    ["23503", "integrity_violation"],
    ["23505", "unique_violation"],
    ["40001", "serialization_failure"],
    ["40P01", "deadlock"],
    ["42601", "invalid_statement"],
    ["42P01", "undefined_table"],
    ["42P13", "invalid_definition"],
    ["53100", "disk_full"],
    ["53300", "too_many_connections"],
    ["55P03", "lock_not_available"],
    ["57014", "query_canceled"],
    ["57P01", "shutting_down"],
    ["57P03", "shutting_down"],
    ["08006", "connection_lost"],
    ["25006", "read_only"],
    ["28000", "access_refused"],
    ["28P01", "authentication_failed"],
    ["0A000", "other"],
    ["3D000", "other"],
    ["P0001", "other"],
    ["XX000", "other"],
  ] as const)("%s is %s, from pg and through Prisma", async (code, fault) => {
    const text = `do $$ begin raise exception 'test' using errcode = '${code}'; end $$`;
    expect(await faultsOf(pool, text)).toEqual(twice(fault));
  });

  test("a unique violation names the constraint, from pg and through Prisma", async () => {
    const data = { name: "twice", value: "1" };
    await prismaOn(pool).instanceSetting.create({ data });
    const text = "insert into instance_settings (name, value) values ('twice', '1')";
    const failures = await Promise.allSettled([pool.query(text), prismaOn(pool).instanceSetting.create({ data })]);
    const expected = { fault: "unique_violation", sqlState: "23505", constraint: "instance_settings_pkey" };
    const errors = failures.map((failure) => (failure.status === "rejected" ? failure.reason : null));
    expect(errors.map(classifyDatabaseError)).toEqual([expected, expected]);
    expect(errors.map(wasRefused)).toEqual([true, true]);
  });
});

describe("an error of the connection", () => {
  test("a statement that takes too long is query_timeout", async () => {
    const slow = openPool(undefined, { query_timeout: SHORT_MS });
    expect(await faultsOf(slow, "select pg_sleep(60)")).toEqual(twice("query_timeout"));
    await slow.end();
  });

  test("a pool without a free connection is pool_exhausted", async () => {
    const full = openPool();
    const client = await full.connect();
    full.options.connectionTimeoutMillis = SHORT_MS;
    expect(await faultsOf(full, "select 1")).toEqual(twice("pool_exhausted"));
    client.release();
    await full.end();
  });

  test("a server that does not listen is unreachable", async () => {
    const nowhere = openPool("postgres://127.0.0.1:1/none");
    expect(await faultsOf(nowhere, "select 1")).toEqual(twice("unreachable"));
    await nowhere.end();
  });

  test("a server that accepts the connection and stays silent is unreachable", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const silent = openPool(`postgres://127.0.0.1:${(server.address() as AddressInfo).port}/none`, {
      connectionTimeoutMillis: SHORT_MS,
    });
    for (const fault of await faultsOf(silent, "select 1")) expect(["unreachable", "pool_exhausted"]).toContain(fault);
    await silent.end();
    server.close();
  });

  test("a server that closes the connection is connection_lost", async () => {
    const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const closing = openPool(`postgres://127.0.0.1:${(server.address() as AddressInfo).port}/none`);
    expect(await faultsOf(closing, "select 1")).toEqual(twice("connection_lost"));
    await closing.end();
    server.close();
  });

  test("a server without TLS is connection_failed, which may pass", async () => {
    const server = createServer((socket) => socket.once("data", () => socket.end("N"))).listen(0, "127.0.0.1");
    await once(server, "listening");
    const strict = openPool(`postgres://127.0.0.1:${(server.address() as AddressInfo).port}/none`, { ssl: true });
    expect(await faultsOf(strict, "select 1")).toEqual(twice("connection_failed"));
    expect(isTransientDatabaseError(await strict.query("select 1").catch((error: unknown) => error))).toBe(true);
    await strict.end();
    server.close();
  });

  test("a server that answers the TLS handshake with something else is connection_failed", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        socket.write("S");
        socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const strict = openPool(`postgres://127.0.0.1:${(server.address() as AddressInfo).port}/none`, { ssl: true });
    expect(await faultsOf(strict, "select 1")).toEqual(twice("connection_failed"));
    await strict.end();
    server.close();
  });

  test("a connection that ended between two statements is connection_lost", async () => {
    const client = await pool.connect();
    const { rows } = await client.query("select pg_backend_pid() as pid");
    const lost = new Promise((resolve) => client.once("end", resolve));
    const other = openPool();
    await other.query("select pg_terminate_backend($1)", [rows[0].pid]);
    await other.end();
    await lost;
    const error = await client.query("select 1").catch((thrown: unknown) => thrown);
    client.release(true);
    expect(classifyDatabaseError(error)).toEqual({ fault: "connection_lost", sqlState: null, constraint: null });
    expect(wasRefused(error)).toBe(false);
  });
});

describe("an error of a socket or of TLS that has no entry of its own", () => {
  test.each([
    ["CERT_HAS_EXPIRED", undefined],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", undefined],
    ["EPROTO", "write"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", undefined],
    ["ERR_STREAM_DESTROYED", undefined],
    ["ERR_TLS_CERT_ALTNAME_INVALID", undefined],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", undefined],
    ["ENOBUFS", "connect"],
    ["ENETRESET", "read"],
    ["P1011", undefined],
  ])("%s is retried and is not a 503", (code, syscall) => {
    const error = Object.assign(new Error("no"), { code, syscall });
    expect(classifyDatabaseError(error)).toEqual({ fault: "connection_failed", sqlState: null, constraint: null });
    expect(isTransientDatabaseError(error)).toBe(true);
    expect(findUnavailableReason(error)).toBeNull();
  });
});

test.each(["40001", "40P01", "53100", "53200", "57014", "55P03", "3D000"])("%s is retried and is not a 503", (code) => {
  const error = Object.assign(new Error("no"), { code });
  expect([isTransientDatabaseError(error), findUnavailableReason(error)]).toEqual([true, null]);
});

describe("an error that carries only a code", () => {
  test.each([
    ["P1001", "unreachable"],
    ["P1008", "query_timeout"],
    ["P1017", "connection_lost"],
    ["P2002", "unique_violation"],
    ["P2024", "pool_exhausted"],
    ["P2034", "serialization_failure"],
    ["ENOTFOUND", "unreachable"],
    ["ECONNRESET", "connection_lost"],
    ["EPIPE", "connection_lost"],
  ] as const)("%s is %s", (code, fault) => {
    const expected = { fault, sqlState: null, constraint: null };
    expect(classifyDatabaseError(Object.assign(new Error("no"), { code }))).toEqual(expected);
    expect(classifyDatabaseError(Object.assign(new Error("no"), { errorCode: code }))).toEqual(expected);
  });
});

test.each(["57P01", "57P03", "08006", "40P01", "53300", "ECONNREFUSED", "ECONNRESET"])("%s is transient", (code) => {
  expect(isTransientDatabaseError(Object.assign(new Error("no"), { code }))).toBe(true);
});

test.each(["22P05", "23505", "42601", "P2002"])("%s is not transient", (code) => {
  expect(isTransientDatabaseError(Object.assign(new Error("no"), { code }))).toBe(false);
});

test.each([
  ["a bug", new TypeError("x is not a function")],
  ["a sentence about a connection", new Error("the connection timed out")],
  ["a lost lease", new LeaseLost("run")],
  ["an error of ours", Object.assign(new Error("Query read timeout"), { code: "TIMEOUT" })],
  ["a file that is missing", Object.assign(new Error("no"), { code: "ENOENT", syscall: "open" })],
  ["a misuse of Prisma", Object.assign(new Error("no"), { code: "P2010" })],
  ["no error at all", "57P01"],
  ["nothing", undefined],
])("%s is not a database error", (_, thrown) => {
  expect(classifyDatabaseError(thrown)).toBeNull();
  expect([isTransientDatabaseError(thrown), wasRefused(thrown)]).not.toContain(true);
  expect(findUnavailableReason(thrown)).toBeNull();
});
