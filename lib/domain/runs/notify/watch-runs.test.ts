import { afterEach, expect, test } from "vitest";
import { RUNS_CHANNEL } from "#lib/domain/runs/notify/notify-runs";
import { watchRuns } from "#lib/domain/runs/notify/watch-runs";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();

const A = "01900000-0000-7000-8000-00000000000a";
const B = "01900000-0000-7000-8000-00000000000b";
let stops: (() => void)[] = [];

afterEach(async () => {
  for (const stop of stops) stop();
  stops = [];
  await eventually(async () => expect(await listeners()).toEqual([]));
});

async function watch(workspaceId: string) {
  const seen: string[] = [];
  const resyncs: true[] = [];
  const stop = await watchRuns(
    workspaceId,
    (runId) => seen.push(runId),
    () => resyncs.push(true),
  );
  stops.push(stop);
  return { seen, resyncs, stop };
}

async function notify(payload: string): Promise<void> {
  await db().query("select pg_notify($1, $2)", [RUNS_CHANNEL, payload]);
}

async function listeners(): Promise<number[]> {
  const { rows } = await db().query(
    "select pid from pg_stat_activity where datname = current_database() and query ~ '^listen '",
  );
  return rows.map((row) => row.pid);
}

test("a watcher hears of its own workspace's runs only, many in one notice", async () => {
  const [a, b] = [await watch(A), await watch(B)];
  await notify(`${A}:1,${B}:2,${A}:3`);
  await notify("nonsense,:,a:");
  await notify(`${B}:4`);
  await eventually(() => expect(b.seen).toEqual(["2", "4"]));
  expect(a.seen).toEqual(["1", "3"]);
});

test("a run that changes right after the watch started is reported", async () => {
  for (let round = 0; round < 5; round++) {
    const { seen, stop } = await watch(A);
    await notify(`${A}:${round}`);
    await eventually(() => expect(seen).toEqual([String(round)]));
    stop();
  }
});

test("many watchers share one connection, and the last one to stop closes it", async () => {
  const watchers = await Promise.all(Array.from({ length: 20 }, (_, index) => watch(index % 2 ? A : B)));
  expect(await listeners()).toHaveLength(1);
  for (const { stop } of watchers.slice(1)) stop();
  await notify(`${B}:1`);
  await eventually(() => expect(watchers[0]?.seen).toEqual(["1"]));
  expect(watchers[2]?.seen).toEqual([]);
  watchers[0]?.stop();
  await eventually(async () => expect(await listeners()).toEqual([]));
});

test("a watcher that arrives while the connection closes is served", async () => {
  const first = await watch(A);
  first.stop();
  const second = await watch(A);
  await notify(`${A}:1`);
  await eventually(() => expect(second.seen).toEqual(["1"]));
});

test("a lost connection is opened again, and every watcher is notified that it may have missed something", async () => {
  const [a, b] = [await watch(A), await watch(B)];
  const [pid] = await listeners();
  await db().query("select pg_terminate_backend($1)", [pid]);
  await eventually(() => expect([a.resyncs, b.resyncs]).toEqual([[true], [true]]));
  await notify(`${A}:1`);
  await eventually(() => expect(a.seen).toEqual(["1"]));
});

test("without a database the watch fails instead of staying silent, and the next one works", async () => {
  const { env } = await import("#lib/platform/config/env");
  const url = env().DATABASE_URL;
  env().DATABASE_URL = "postgres://postgres@127.0.0.1:1/none";
  await expect(watch(A)).rejects.toThrow();
  env().DATABASE_URL = url;
  const { seen } = await watch(A);
  await notify(`${A}:1`);
  await eventually(() => expect(seen).toEqual(["1"]));
});
