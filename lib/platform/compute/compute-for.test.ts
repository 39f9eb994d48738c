import { describe, expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { computeFor, runJob } from "#lib/platform/compute/compute-for";
import { startComputeChild } from "#lib/platform/compute/compute-pool";

const { signal } = new AbortController();
const compute = computeFor("workspace-1");
const turn = { workspaceId: "workspace-1", bytes: 0, signal };
const rule = (left: string, right: string) => ({
  match: "all" as const,
  rules: [{ left, operator: "matches" as const, right }],
});

describe("patterns in a process of their own", () => {
  test("a sensible pattern finds its place in a long text", async () => {
    const text = `${"lorem ipsum ".repeat(8_000)} order-4711`;
    expect(await compute.findCase([rule(text, "invoice-[0-9]+"), rule(text, "order-[0-9]+$")], signal)).toBe(1);
    expect(await compute.findCase([rule(text, "receipt")], signal)).toBe(-1);
  });

  test.each([
    ["an invalid pattern", "(", "VALIDATION_ERROR", "The pattern is not valid"],
    ["a pattern that unfolds", "(a{1000}){1000}", "VALIDATION_ERROR", "unfolds to more than 3,000 parts"],
  ])("%s is refused as it would be in this process", async (_, pattern, code, message) => {
    await expect(compute.findCase([rule("a", pattern)], signal)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  test("the budget of a step holds there, too", async () => {
    const text = "x".repeat(1_000_000);
    await expect(compute.findCase([rule(text, "(foo|bar|baz|quux)+!")], signal)).rejects.toMatchObject({
      reason: "data_too_large",
    });
  });
});

describe("a model's answer", () => {
  const schema = { type: "object", properties: { n: { type: "integer", minimum: 1 } }, required: ["n"] };

  test("that matches its schema is returned", async () => {
    expect(await compute.parseObject('{"n":1}', schema, signal)).toEqual({ n: 1 });
  });

  test("that does not match is refused with its place", async () => {
    await expect(compute.parseObject('{"n":0}', schema, signal)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("/n must be >= 1"),
    });
  });

  test("with a schema that takes a lifetime to check never blocks this process", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `d${index}`);
    const twice = (name: string) => ({ anyOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }] });
    const $defs = Object.fromEntries(
      names.map((name, index) => [name, index === 29 ? { const: 1 } : twice(`d${index + 1}`)]),
    );
    const turns = { count: 0 };
    const ticking = setInterval(() => {
      turns.count += 1;
    }, 1);
    await expect(compute.parseObject("0", { $ref: "#/$defs/d0", $defs }, signal)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringMatching(/takes more than 2 s to check|took too much memory to check/),
    });
    clearInterval(ticking);
    expect(turns.count).toBeGreaterThan(10);
  });
});

test("a job that fails with a bug of ours is UNKNOWN, and the next job works", async () => {
  const broken = { kind: "find_case", cases: null } as unknown as Parameters<typeof runJob>[0];
  await expect(runJob(broken, turn)).rejects.toMatchObject({ code: "UNKNOWN" });
  expect(await compute.findCase([rule("a", "a")], signal)).toBe(0);
});

test("a workspace with too many waiting jobs is refused, and the others are not", async () => {
  const jobs = Array.from({ length: LIMITS.computeQueuedJobs + 2 }, () =>
    runJob({ kind: "find_case", cases: [] }, turn),
  );
  const settled = Promise.allSettled(jobs);
  expect(await computeFor("workspace-2").findCase([rule("a", "a")], signal)).toBe(0);
  const refused = (await settled).flatMap((job) => (job.status === "rejected" ? [job.reason] : []));
  expect(refused.length).toBeGreaterThan(0);
  for (const error of refused) expect(error).toMatchObject({ code: "RATE_LIMITED", reason: "sandbox_busy" });
});

test("a child has no environment and cannot read the instance's files", async () => {
  process.env.SECRET_OF_THE_PARENT = "secret";
  const child = await startComputeChild();
  try {
    expect(child.spawnargs).toEqual(expect.arrayContaining(["--permission", "--max-old-space-size=256"]));
    expect(child.spawnargs.filter((argument) => argument.startsWith("--allow"))).toHaveLength(3);
  } finally {
    child.kill("SIGKILL");
    delete process.env.SECRET_OF_THE_PARENT;
  }
});
