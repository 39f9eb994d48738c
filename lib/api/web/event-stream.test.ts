import { afterEach, expect, test, vi } from "vitest";
import { sessionCookie } from "#lib/api/auth/session.fixture";
import { eventStream } from "#lib/api/web/event-stream";
import { LIMITS } from "#lib/contract/limits";
import { newEditor } from "#lib/domain/workflows/workflow.fixture";
import { endOpenAnswers } from "#lib/platform/config/web-shutdown";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";

await openTestDatabase();

let leave = new AbortController();

const ann = await newEditor("ann");
afterEach(async () => {
  leave.abort();
  // The next test counts the connections that listen.
  await eventually(async () => expect(await listenerCount()).toBe(0));
});

async function open(cookie?: string) {
  leave = new AbortController();
  const headers = { cookie: cookie ?? (await sessionCookie(ann.userId)) };
  const response = await eventStream(new Request("http://x/api/stream", { headers, signal: leave.signal }));
  const state = { response, text: "", isOver: false };
  const read = async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) state.text += chunk;
    state.isOver = true;
  };
  read().catch(() => {
    state.isOver = true;
  });
  return state;
}

async function listenerCount(): Promise<number> {
  const { rows } = await db().query(
    "select pid from pg_stat_activity where datname = current_database() and query ~ '^listen '",
  );
  return rows.length;
}

test("without a session the stream is refused", async () => {
  const { response } = await open("other=1");
  expect([response.status, response.headers.get("content-type")]).toEqual([401, "application/json"]);
});

test("the stream sends changes of the workspace's runs, unbuffered and uncached", async () => {
  const stream = await open();
  const { headers } = stream.response;
  expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store, no-transform");
  expect(headers.get("x-accel-buffering")).toBe("no");
  await db().query("select pg_notify('runs_changed', $1)", [`${ann.workspaceId}:r1,other:r2`]);
  await eventually(() => expect(stream.text).toBe('retry: 2000\n\nevent: run_changed\ndata: {"run_id":"r1"}\n\n'));
});

test("a page that closes leaves no connection open", async () => {
  const stream = await open();
  expect(await listenerCount()).toBe(1);
  leave.abort();
  await eventually(() => expect(stream.isOver).toBe(true));
  await eventually(async () => expect(await listenerCount()).toBe(0));
});

test("one user can open 50 streams in a process; the next is refused until one closes", async () => {
  const cookie = await sessionCookie(ann.userId);
  const connect = (user = cookie) => {
    const left = new AbortController();
    const request = new Request("http://x/api/stream", { headers: { cookie: user }, signal: left.signal });
    return eventStream(request).then((response) => ({ response, close: () => left.abort() }));
  };
  const streams = await Promise.all(Array.from({ length: LIMITS.streamsPerUser }, () => connect()));
  expect(streams.map(({ response }) => response.status)).toEqual(streams.map(() => 200));
  const { response } = await connect();
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "30"]);
  expect(await response.json()).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", reason: "too_many_streams" });
  const ben = await newEditor("ben");
  const other = await connect(await sessionCookie(ben.userId));
  expect(other.response.status).toBe(200);
  streams[0]?.close();
  const next = await connect();
  expect(next.response.status).toBe(200);
  for (const { close } of [...streams, other, next]) close();
  await eventually(async () => expect(await listenerCount()).toBe(0));
});

test("a cancelled body leaves no connection open", async () => {
  leave = new AbortController();
  const headers = { cookie: await sessionCookie(ann.userId) };
  const response = await eventStream(new Request("http://x/api/stream", { headers }));
  expect(await listenerCount()).toBe(1);
  await response.body?.cancel();
  await eventually(async () => expect(await listenerCount()).toBe(0));
});

test("after a lost database connection the page gets a resync event", async () => {
  const stream = await open();
  await db().query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ~ '^listen '",
  );
  await eventually(() => expect(stream.text).toContain("event: resync\ndata: {}\n\n"));
});

test("a reader that reads nothing is disconnected instead of filling the memory", async () => {
  leave = new AbortController();
  const headers = { cookie: await sessionCookie(ann.userId) };
  await eventStream(new Request("http://x/api/stream", { headers }));
  const many = Array.from({ length: 100 }, (_, index) => `${ann.workspaceId}:run-${index}`).join(",");
  for (let round = 0; round < 12; round++)
    await db().query("select pg_notify('runs_changed', $1)", [`${many},${round}:x`]);
  await eventually(async () => expect(await listenerCount()).toBe(0));
});

test("a workspace that requires two-step verification refuses the stream to a member without a second factor", async () => {
  const ben = await newEditor("ben");
  await db().query("update workspaces set require_two_step = true where id = $1", [ben.workspaceId]);
  const stream = await open(await sessionCookie(ben.userId));
  expect(stream.response.status).toBe(403);
  await eventually(() => expect(stream.text).toContain('"reason":"two_step_required"'));
});

test("a workspace that requires single sign-on refuses the stream to a session that did not come through it", async () => {
  const ben = await newEditor("ben");
  await db().query("insert into workspace_sso (workspace_id, provider, is_required) values ($1, 'company', true)", [
    ben.workspaceId,
  ]);
  const stream = await open(await sessionCookie(ben.userId));
  expect(stream.response.status).toBe(403);
  await eventually(() => expect(stream.text).toContain('"reason":"sso_required"'));
});

test.each([
  ["left the workspace", "delete from workspace_members where user_id = $1"],
  [
    "lacks the two-step verification that the workspace now requires",
    `update workspaces w set require_two_step = true from workspace_members m
     where m.workspace_id = w.id and m.user_id = $1`,
  ],
  [
    "did not come through the single sign-on that the workspace now requires",
    `insert into workspace_sso (workspace_id, provider, is_required)
     select workspace_id, 'company', true from workspace_members where user_id = $1`,
  ],
])("a member who %s is disconnected within a minute", async (_, change) => {
  const cara = await newEditor("cara");
  const cookie = await sessionCookie(cara.userId);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const stream = await open(cookie);
    await vi.advanceTimersByTimeAsync(45_000);
    await db().query(change, [cara.userId]);
    expect(stream.isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(15_000);
    vi.useRealTimers();
    await eventually(() => expect(stream.isOver).toBe(true));
    expect(stream.text.match(/: still here/g)).toHaveLength(4);
  } finally {
    vi.useRealTimers();
  }
});

test("the stream ends when the web server stops, so that the page connects to another one", async () => {
  const stream = await open();
  await eventually(() => expect(stream.text).toContain("retry:"));
  endOpenAnswers();
  await eventually(() => expect(stream.isOver).toBe(true));
});
