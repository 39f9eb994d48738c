import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { connectPatiently } from "#lib/platform/db/connect-client";
import { connectionOptions } from "#lib/platform/db/connection-options";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { waitForPostmaster } from "#scripts/postgres/postgres-process";

useTestDatabase();

const undos: (() => void)[] = [];
afterEach(() => {
  for (const undo of undos.splice(0)) undo();
});

/** Starts a server in front of PostgreSQL. @param onConnection receives the number of the connection, from 1 */
async function listen(onConnection: (socket: Socket, number: number) => void): Promise<string> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    undos.push(() => socket.destroy());
    socket.on("error", () => {});
    onConnection(socket, connections);
  }).listen(0, "127.0.0.1");
  undos.push(() => server.close());
  await once(server, "listening");
  const url = new URL(process.env.DATABASE_URL ?? "");
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return url.href;
}

function pass(socket: Socket): void {
  const { hostname, port } = new URL(process.env.DATABASE_URL ?? "");
  const upstream = connect(Number(port || 5432), hostname);
  undos.push(() => upstream.destroy());
  upstream.on("error", () => {});
  socket.pipe(upstream).pipe(socket);
}

/** What PostgreSQL sends while it recovers (PostgreSQL, Message Formats: ErrorResponse). */
function refuse(socket: Socket): void {
  const fields = Buffer.from("SFATAL\0C57P03\0Mthe database system is starting up\0\0");
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(fields.length + 4, 1);
  socket.end(Buffer.concat([head, fields]));
}

test("a server whose first connections get no answer in time is waited for", async () => {
  const url = await listen((socket, number) => {
    if (number > 3) pass(socket);
  });
  expect(await waitForPostmaster(process.pid, url, { attemptMs: 20 })).toBe(true);
});

test("a server that recovers is waited for as long as it answers", async () => {
  let nowMs = 0;
  const url = await listen((socket, number) => {
    nowMs += 300_000;
    if (number > 8) pass(socket);
    else refuse(socket);
  });
  expect(await waitForPostmaster(process.pid, url, { now: () => nowMs })).toBe(true);
});

test("a server that runs but is silent for ten minutes is reported with what to do, and keeps running", async () => {
  let nowMs = 0;
  const server = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1_000)"]);
  undos.push(() => server.kill("SIGKILL"));
  const url = await listen(() => {
    nowMs += 300_000;
  });
  const waiting = waitForPostmaster(server.pid ?? 0, url, { attemptMs: 20, now: () => nowMs });
  await expect(waiting).rejects.toThrow(/has not answered for 10 minutes.*next start/);
  expect([server.exitCode, server.signalCode]).toEqual([null, null]);
});

test("a server that ends is not waited for", async () => {
  const server = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1_000)"]);
  const url = await listen((socket, number) => {
    if (number > 2) server.kill("SIGKILL");
    refuse(socket);
  });
  expect(await waitForPostmaster(server.pid ?? 0, url)).toBe(false);
});

test("a start connects although its first attempts time out", async () => {
  let connections = 0;
  const url = await listen((socket, number) => {
    connections = number;
    if (number > 3) pass(socket);
  });
  const client = await connectPatiently({ ...connectionOptions(url), connectionTimeoutMillis: 20 });
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await client.end();
  expect(connections).toBeGreaterThan(3);
});

test("a start ends after ten minutes of attempts that time out, and at once when it is refused", async () => {
  let nowMs = 0;
  let connections = 0;
  const silent = await listen((_, number) => {
    connections = number;
    nowMs += 250_000;
  });
  const options = { ...connectionOptions(silent), connectionTimeoutMillis: 20 };
  await expect(connectPatiently(options, () => nowMs)).rejects.toThrow(/timeout/);
  expect(connections).toBeGreaterThanOrEqual(3);
  const recovering = await listen((socket) => refuse(socket));
  await expect(connectPatiently(connectionOptions(recovering))).rejects.toThrow("starting up");
});
