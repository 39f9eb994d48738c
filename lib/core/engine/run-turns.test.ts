import { describe, expect, it } from "vitest";
import { runGraph, type TestGraph } from "#lib/core/engine/engine.fixture";
import { LeaseLost } from "#lib/core/engine/lease-lost";

describe("turns of the event loop", () => {
  it("every step without side effects asks for a turn before it resolves its input and before its output is counted", async () => {
    const asked: number[] = [];
    const steps: string[] = [];
    const behave = (name: string) => () => {
      steps.push(name);
      return {};
    };
    const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
    const graph: TestGraph = {
      paths: names.flatMap((name) => [`in>${name}`, `${name}>out`]),
      behaviors: Object.fromEntries(names.map((name) => [name, behave(name)])),
    };
    const takeTurn = async () => {
      asked.push(steps.length);
      await new Promise((resolve) => setImmediate(resolve));
    };
    const { outcome } = runGraph(graph, {}, { takeTurn });
    expect((await outcome).status).toBe("succeeded");
    expect(asked).toHaveLength(2 * (names.length + 2));
  });

  it("a run that was lost while it waited for a turn starts nothing", async () => {
    const lost = new AbortController();
    const started: string[] = [];
    const graph: TestGraph = { paths: ["in>a"], behaviors: { a: () => started.push("a") } };
    let turns = 0;
    const takeTurn = async () => {
      turns += 1;
      if (turns === 3) lost.abort(new LeaseLost("run"));
    };
    await expect(runGraph(graph, { signal: lost.signal }, { takeTurn }).outcome).rejects.toThrow(LeaseLost);
    expect(started).toEqual([]);
  });
});
