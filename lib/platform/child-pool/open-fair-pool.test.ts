import { EventEmitter } from "node:events";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openFairPool } from "#lib/platform/child-pool/open-fair-pool";

interface Message {
  name: string;
}

/** A child that answers when the test says so. */
class FakeChild extends EventEmitter {
  connected = true;
  isKilled = false;
  asked: Message | null = null;

  send(message: object): boolean {
    this.asked = message as Message;
    return true;
  }

  kill(): boolean {
    this.isKilled = true;
    this.connected = false;
    queueMicrotask(() => this.emit("exit", null, "SIGKILL"));
    return true;
  }

  /** Ends as a process that exits by itself does. */
  crash(): void {
    this.connected = false;
    this.emit("exit", 134, null);
  }

  answer(isWorn = false): void {
    this.emit("message", { name: this.asked?.name, isWorn });
  }
}

function openStage(children = { shared: 2, reserved: 1 }) {
  const started: FakeChild[] = [];
  const turns: string[] = [];
  const pool = openFairPool<{ name: string; isWorn: boolean }>({
    start: async () => {
      const child = new FakeChild();
      started.push(child);
      return child;
    },
    children,
    queue: { calls: 5, bytes: 1_000 },
    callsPerChild: 3,
    killMs: 500,
  });
  const run = (workspaceId: string, name: string, signal = new AbortController().signal) =>
    pool.run({
      workspaceId,
      message: { name },
      bytes: 10,
      timeoutMs: 60_000,
      cpuMs: 60_000,
      signal,
      onTurn: () => turns.push(name),
    });
  const at = (name: string): FakeChild => {
    const child = started.findLast(({ asked, isKilled }) => asked?.name === name && !isKilled);
    if (!child) throw new Error(`No child works on ${name}`);
    return child;
  };
  return { pool, run, started, turns, at };
}

/** Lets everything happen that needs no event from outside. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  vi.useRealTimers();
});

describe("a fair pool", () => {
  test("runs the first call of a workspace while another has filled the shared children", async () => {
    const { run, turns, at, started } = openStage();
    const attacks = ["a1", "a2", "a3"].map((name) => run("attacker", name));
    await settled();
    expect(turns).toEqual(["a1", "a2"]);
    const served = run("victim", "v1");
    await settled();
    expect(turns).toEqual(["a1", "a2", "v1"]);
    at("v1").answer();
    expect(await served).toMatchObject({ name: "v1" });
    expect(turns).toEqual(["a1", "a2", "v1"]);
    expect(started).toHaveLength(3);
    at("a1").answer();
    await settled();
    at("a2").answer();
    await settled();
    at("a3").answer();
    await Promise.all(attacks);
  });

  test("calls onTurn when the turn comes, not when the call joins the queue", async () => {
    const { run, turns, at } = openStage({ shared: 1, reserved: 0 });
    const calls = [run("a", "first"), run("a", "second")];
    await settled();
    expect(turns).toEqual(["first"]);
    at("first").answer();
    await settled();
    expect(turns).toEqual(["first", "second"]);
    at("second").answer();
    await Promise.all(calls);
  });

  test("refuses calls beyond the queue of their workspace", async () => {
    const { run, pool } = openStage({ shared: 1, reserved: 1 });
    const controller = new AbortController();
    const waiting = Array.from({ length: 6 }, (_, index) => run("a", `a${index}`, controller.signal));
    await settled();
    expect(pool.load()).toMatchObject({ running: 1, waiting: 5 });
    await expect(run("a", "one too many")).rejects.toMatchObject({ kind: "crowded" });
    const other = run("b", "b", controller.signal);
    controller.abort(new Error("over"));
    expect((await Promise.allSettled([...waiting, other])).map(({ status }) => status)).toEqual(
      Array(7).fill("rejected"),
    );
    expect(pool.load()).toMatchObject({ running: 0, waiting: 0 });
  });

  test("gives the child of an aborted call to no one and serves the next call", async () => {
    const { run, turns, at, started } = openStage({ shared: 1, reserved: 0 });
    const controller = new AbortController();
    const aborted = run("a", "aborted", controller.signal);
    const next = run("a", "next");
    await settled();
    controller.abort(new Error("gone"));
    await expect(aborted).rejects.toThrow("gone");
    await settled();
    expect(turns).toEqual(["aborted", "next"]);
    expect(started[0]).toMatchObject({ isKilled: true });
    at("next").answer();
    await next;
  });

  test("replaces a child that is worn, and one that has taken its number of calls", async () => {
    const { run, at, started } = openStage({ shared: 1, reserved: 0 });
    for (const [name, isWorn] of [["1"], ["2"], ["3"], ["4", true], ["5"]] as [string, boolean?][]) {
      const call = run("a", name);
      await settled();
      at(name).answer(isWorn);
      await call;
    }
    expect(started.map(({ isKilled }) => isKilled)).toEqual([true, true, false]);
  });

  test("has a child ready for the next workspace when the shared children are busy", async () => {
    const { run, at, started } = openStage({ shared: 1, reserved: 2 });
    const first = run("attacker", "a");
    await settled();
    expect(started).toHaveLength(2);
    at("a").answer();
    await first;
  });

  test("keeps one idle child more than are shared", async () => {
    const { run, at, started, pool } = openStage({ shared: 1, reserved: 2 });
    const calls = ["a", "b", "c"].map((name) => run(name, name));
    await settled();
    for (const name of ["a", "b", "c"]) at(name).answer();
    await Promise.all(calls);
    expect(started.filter(({ isKilled }) => !isKilled)).toHaveLength(2);
    expect(pool.load()).toEqual({ running: 0, waiting: 0, children: 2 });
  });

  test("keeps no child after a minute without a call, and starts one for the next call", async () => {
    vi.useFakeTimers();
    const { pool, run, started, at } = openStage();
    for (const [name, pauseMs] of [
      ["c1", 59_000],
      ["c2", 59_000],
    ] as const) {
      const call = run("w", name);
      await vi.advanceTimersByTimeAsync(0);
      at(name).answer();
      await call;
      await vi.advanceTimersByTimeAsync(pauseMs);
    }
    expect([started.length, pool.load().children]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([started[0]?.isKilled, pool.load().children]).toEqual([true, 0]);
    const next = run("w", "c3");
    await vi.advanceTimersByTimeAsync(0);
    at("c3").answer();
    expect(await next).toMatchObject({ name: "c3" });
    expect(started).toHaveLength(2);
  });

  test("fails only the call of a child that ends", async () => {
    const { run, at } = openStage();
    const [lost, kept] = [run("a", "lost"), run("b", "kept")];
    await settled();
    at("lost").crash();
    await expect(lost).rejects.toMatchObject({ kind: "ended" });
    at("kept").answer();
    expect(await kept).toMatchObject({ name: "kept" });
  });

  test("runs a call again in another child when the system kills the first, and takes only one turn", async () => {
    const { run, at, turns } = openStage();
    const call = run("a", "victim");
    await settled();
    at("victim").kill();
    await settled();
    at("victim").answer();
    expect(await call).toMatchObject({ name: "victim" });
    expect(turns).toEqual(["victim"]);
  });

  test("gives up a call whose child is killed every time", async () => {
    const { run, at, pool, started } = openStage({ shared: 1, reserved: 0 });
    const call = run("a", "doomed");
    const ending = expect(call).rejects.toMatchObject({ kind: "killed" });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await settled();
      at("doomed").kill();
    }
    await ending;
    expect(started.filter(({ asked }) => asked?.name === "doomed")).toHaveLength(3);
    expect(pool.load()).toMatchObject({ running: 0, waiting: 0 });
  });

  /** A machine on which the first starts fail. */
  function openWeakStage(failures: number) {
    const stage = { started: 0, startedAt: [] as number[] };
    const pool = openFairPool<{ name: string; isWorn: boolean }>({
      start: async () => {
        stage.started += 1;
        stage.startedAt.push(performance.now());
        if (stage.started <= failures) throw Object.assign(new Error("spawn EAGAIN"), { code: "EAGAIN" });
        const child = new FakeChild();
        child.send = (message) => {
          child.asked = message as Message;
          queueMicrotask(() => child.answer());
          return true;
        };
        return child;
      },
      children: { shared: 1, reserved: 0 },
      queue: { calls: 5, bytes: 1_000 },
      callsPerChild: 100,
      killMs: 500,
    });
    const run = (signal = new AbortController().signal) =>
      pool.run({ workspaceId: "a", message: { name: "a" }, bytes: 1, timeoutMs: 1_000, cpuMs: 1_000, signal });
    return { ...stage, stage, pool, run };
  }

  test("serves a call although the first starts fail", async () => {
    vi.useFakeTimers();
    const { run, stage } = openWeakStage(5);
    const calls = [run(), run(), run()];
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await Promise.all(calls)).toMatchObject([{ name: "a" }, { name: "a" }, { name: "a" }]);
    expect(stage.started).toBe(6);
  });

  test("fails each call after many failed starts in a row, and tries a start for every later call", async () => {
    vi.useFakeTimers();
    const { run, pool, stage } = openWeakStage(9);
    const endings = Promise.allSettled([run(), run(), run()]);
    await vi.advanceTimersByTimeAsync(10_000);
    for (const ending of await endings) expect(ending).toMatchObject({ reason: { kind: "not_started" } });
    expect(pool.load()).toEqual({ running: 0, waiting: 0, children: 0 });
    const before = stage.started;
    await expect(run()).rejects.toMatchObject({ kind: "not_started" });
    expect(stage.started).toBe(before + 1);
    expect(await run(), "the machine has recovered").toMatchObject({ name: "a" });
  });

  test("stops waiting for a start when the call is aborted", async () => {
    vi.useFakeTimers();
    const { run, pool } = openWeakStage(100);
    const controller = new AbortController();
    const call = run(controller.signal);
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort(new Error("the run is over"));
    await expect(call).rejects.toThrow("the run is over");
    expect(pool.load()).toEqual({ running: 0, waiting: 0, children: 0 });
  });

  test("pauses longer and longer between failed starts of a spare child", async () => {
    vi.useFakeTimers();
    const child = new FakeChild();
    const startedAt: number[] = [];
    const pool = openFairPool({
      start: async () => {
        startedAt.push(performance.now());
        if (startedAt.length === 1) return child;
        // Without a pause the test would never end.
        if (startedAt.length > 100) return new Promise<never>(() => {});
        throw new Error("out of memory");
      },
      children: { shared: 1, reserved: 1 },
      queue: { calls: 5, bytes: 1_000 },
      callsPerChild: 3,
      killMs: 500,
    });
    const { signal } = new AbortController();
    const limits = { timeoutMs: 600_000, cpuMs: 600_000 };
    const call = pool.run({ workspaceId: "a", message: { name: "a" }, bytes: 1, ...limits, signal });
    await vi.advanceTimersByTimeAsync(120_000);
    const pauses = startedAt.slice(2).map((at, index) => Math.round(at - (startedAt[index + 1] ?? 0)));
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    child.answer();
    expect(await call).toMatchObject({ name: "a" });
  });
});
