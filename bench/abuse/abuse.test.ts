import { describe, expect, test } from "vitest";
import { ATTACK_NAMES } from "#bench/abuse/attacks";
import { ABUSE_OPTIONS } from "#bench/abuse/options";
import { barsOf, formatFacts, formatResults } from "#bench/abuse/result-table";
import type { AttackResult } from "#bench/abuse/run-attack";
import { parseOptions } from "#bench/run/read-options";

const RESULT: AttackResult = {
  attack: "queue",
  victim: { startMs: [10, 20], codeMs: [30], healthMs: [5], acceptMs: [4], faults: [], accepted: 3, unfinished: 0 },
  processes: { webMib: 300, workerMib: 200, childrenMib: 100, deaths: [] },
  delays: { web: [], worker: [{ count: 3, delayMs: 900, cpuMs: 250, work: "step wait" }] },
  facts: [],
  answers: [],
};

const missed = (result: AttackResult) => barsOf(result).flatMap(({ name, isMet }) => (isMet ? [] : [name]));

describe("the bars of an attack", () => {
  test("are met if the victim notices nothing", () => {
    expect(missed(RESULT)).toEqual([]);
    expect(formatResults([RESULT])).toMatch(/^queue .* ok$/m);
  });

  test("are missed if a time was not measured", () => {
    const victim = { ...RESULT.victim, startMs: [], codeMs: [], healthMs: [] };
    expect(missed({ ...RESULT, victim })).toEqual(["start p95 ms", "code p95 ms", "healthz p95 ms"]);
  });

  test("are missed if a process ends or a call gets no answer", () => {
    const processes = { ...RESULT.processes, deaths: ["worker 1"] };
    const victim = { ...RESULT.victim, faults: ["/healthz: 503"] };
    expect(missed({ ...RESULT, processes, victim })).toEqual(["deaths", "faults"]);
  });

  test("the longest block of an event loop is shown with the work that caused it", () => {
    expect(formatFacts(RESULT)).toContain("worker blocked 3 times, at most 250 ms of CPU in 900 ms: step wait");
  });

  test("an attack with a broken fact counts as missed", () => {
    const facts = [{ what: "no process ends", isMet: false, measured: "1" }];
    expect(formatResults([{ ...RESULT, facts }])).toMatch(/^queue .* MISSED$/m);
  });
});

describe("the options", () => {
  test("select attacks by name, and select all attacks by default", () => {
    expect(parseOptions(["--only", "queue, code"], ABUSE_OPTIONS).only).toEqual(["queue", "code"]);
    expect(parseOptions([], ABUSE_OPTIONS).only).toEqual(ATTACK_NAMES);
  });

  test("refuse an unknown attack and a time that is not a number", () => {
    expect(() => parseOptions(["--only", "quiet"], ABUSE_OPTIONS)).toThrow(/--only knows calm, patterns/);
    expect(() => parseOptions(["--seconds", "soon"], ABUSE_OPTIONS)).toThrow("--seconds must be a number above 0");
  });
});
