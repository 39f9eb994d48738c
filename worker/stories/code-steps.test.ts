import { describe, expect, it } from "vitest";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { readMetrics } from "#lib/platform/metrics/read-metrics";
import { useRunStage } from "#worker/stories/run-stage.fixture";

const stage = useRunStage();

const result = (value: string) => node("out", "return_output", { properties: [{ name: "x", type: "object", value }] });
const LIST = node("list", "transform", { fields: [{ name: "orders", value: [{ n: 1 }, { n: 20 }, { n: 30 }] }] });

describe("code and expressions that users wrote (decisions, The graph document)", () => {
  it("code gets its resolved input and returns the step's output", async () => {
    const source = `type Order = { n: number };
export default async (input: { orders: Order[] }) => {
  console.log("not in the output");
  return { sum: input.orders.reduce((sum, order) => sum + order.n, 0) };
};`;
    const code = node("code", "code", { source, input: { orders: "{{list.orders}}" } });
    const run = await stage.start([LIST, code, result("{{code}}")], "in>list>code>out");
    expect(await stage.reaches(run, "succeeded")).toMatchObject({ output: { x: { sum: 51 } } });
    const step = await stage.step(run, "code");
    expect(step).toMatchObject({ input: { orders: [{ n: 1 }, { n: 20 }, { n: 30 }] }, output: { sum: 51 } });
  });

  it("code that throws fails its step with the error's name and line", async () => {
    const code = node("code", "code", { source: "const a = input.missing;\nreturn a.b;" });
    const run = await stage.start([code, result("{{code}}")], "in>code>out");
    const { error } = await stage.reaches(run, "failed");
    expect(error).toMatchObject({ code: "UNKNOWN", reason: "code_threw", step_id: "code" });
    expect(error.message).toContain("line 2");
  });

  it("an expression sees only the steps it names", async () => {
    const jsonata = '{ "big": $sum(list.orders[n > 10].n), "who": action_input.name }';
    const transform = node("t", "transform", { jsonata });
    const unnamed = node("unnamed", "transform", { fields: [{ name: "secret", value: "s" }] });
    const run = await stage.start([LIST, unnamed, transform, result("{{t}}")], "in>list>unnamed>t>out");
    expect(await stage.reaches(run, "succeeded")).toMatchObject({ output: { x: { big: 50, who: "Ada" } } });
    const step = await stage.step(run, "t");
    expect(Object.keys(step?.input as object).sort()).toEqual(["action_input", "list"]);
  });

  it("a code step shows how long it waited for the sandbox in the metrics", async () => {
    const code = node("code", "code", { source: "return { n: 1 }" });
    const run = await stage.start([code, result("{{code}}")], "in>code>out");
    await stage.reaches(run, "succeeded");
    // The worker is another process, and writes its counts every few seconds.
    const counted = async () => {
      const waits = (await readMetrics()).find(({ name }) => name === "signalbox_sandbox_wait_seconds");
      return waits?.samples.find(({ name }) => name.endsWith("_count"))?.value ?? 0;
    };
    await expect.poll(counted).toBeGreaterThan(0);
  });

  it("an expression that does not parse fails its step", async () => {
    const transform = node("t", "transform", { jsonata: "list.orders[" });
    const run = await stage.start([LIST, transform, result("{{t}}")], "in>list>t>out");
    expect(await stage.reaches(run, "failed")).toMatchObject({ error: { code: "VALIDATION_ERROR", step_id: "t" } });
  });
});
