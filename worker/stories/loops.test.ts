import { describe, expect, it } from "vitest";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useRunStage } from "#worker/stories/run-stage.fixture";

const stage = useRunStage();

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const end = node("out", "return_output", {
  properties: [{ name: "all", type: "array", value: "{{each.results}}" }],
});

describe("a filter on a real worker", () => {
  it("keeps the items that match its rules, up to the longest allowed list", async () => {
    const filter = node("even", "filter", {
      items: numbers(1_000),
      match: "any",
      rules: [
        { left: "{{even.item}}", operator: "matches", right: "[02468]$" },
        { left: "{{even.index}}", operator: "equals", right: 999 },
      ],
    });
    const kept = node("out", "return_output", {
      properties: [{ name: "all", type: "array", value: "{{even.items}}" }],
    });
    const run = await stage.start([filter, kept], "in>even>out");
    const { output } = await stage.reaches(run, "succeeded");
    expect(output.all).toEqual([...numbers(1_000).filter((number) => number % 2 === 0), 999]);
  });
});

describe("a loop on a real worker", () => {
  it("continues after the loss of its worker without repeating finished iterations", async () => {
    const loop = node("each", "loop", {
      items: ["ann@example.com", "b", "c"],
      result: "{{keep.who}} {{send.status}}",
    });
    const keep = {
      ...node("keep", "transform", { fields: [{ name: "who", value: "{{each.item}}" }] }),
      parentId: "each",
    };
    const send = { ...stage.call("send"), parentId: "each" };
    stage.server.hold("/send");
    const run = await stage.start([loop, keep, send, end], "in>each", "keep>send", "each>out");
    await stage.called("/send");
    stage.server.release("/send");
    stage.server.hold("/send");
    await stage.called("/send", 2);
    await stage.replaceWorker();
    await stage.called("/send", 3);
    stage.server.release("/send");
    // The checkpoint has the original of the value that the journal redacts.
    expect(await stage.reaches(run, "succeeded")).toMatchObject({
      output: { all: ["ann@example.com 200", "b 200", "c 200"] },
    });
    const keys = stage.server.of("/send").map((call) => call.key.replace(`${run.runId}:`, ""));
    expect(keys).toEqual(["send:0", "send:1", "send:1", "send:2"]);
    const kinds = await stage.kinds(run);
    const completed = kinds.filter((kind) => kind.endsWith(":completed"));
    expect(new Set(completed).size).toBe(completed.length);
    expect(kinds.filter((kind) => kind === "each:started")).toHaveLength(1);
  });

  it("journals 1,000 iterations in full, in batches", async () => {
    const loop = node("each", "loop", { items: numbers(1_000), concurrency: 10, result: "{{b.x}}" });
    const inside = (id: string, value: string) => ({
      ...node(id, "transform", { fields: [{ name: "x", value }] }),
      parentId: "each",
    });
    const run = await stage.start(
      [loop, inside("a", "{{each.item}}"), inside("b", "{{a.x}}"), end],
      "in>each, a>b, each>out",
    );
    const row = await stage.reaches(run, "succeeded");
    expect(row.output.all).toEqual(numbers(1_000));
    const { rows } = await db().query(
      `select count(*)::int as inside from journal_events($1)
       where kind = 'step_completed' and iteration <> ''`,
      [run.runId],
    );
    expect(rows[0].inside).toBe(2_000);
  });
});
