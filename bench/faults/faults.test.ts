import { expect, it } from "vitest";
import type { Row } from "#bench/faults/result-table";
import { mayhem } from "#bench/faults/runs/mayhem";
import { runJobs } from "#bench/faults/runs/run-jobs";

// The short form of `npm run faults`. It asserts only what holds on any machine, nothing that depends on speed.
function expectNoViolation(rows: readonly Row[], events: readonly string[]): void {
  const violated = rows.filter((row) => row.isCorrectness && row.isMet === false);
  expect(
    violated.map((row) => `${row.what}: ${row.measured}`),
    events.join("\n"),
  ).toEqual([]);
}

it("no matter what is killed, no run is lost, no completed step runs again, and only poison runs fail", async () => {
  const events: string[] = [];
  const { rows } = await mayhem({
    id: "short",
    runs: 300,
    kills: 5,
    crashes: 1,
    zombies: 2,
    cuts: 1,
    poison: 2,
    latencyMs: 150,
    seed: 1,
    report: (text) => events.push(text),
  });
  expectNoViolation(rows, events);
});

it("no matter where a run is between two writes, a killed worker or PostgreSQL leaves no run twice and no job behind", async () => {
  const events: string[] = [];
  const rows = await runJobs({ kills: 3, crashes: 1, seed: 1, report: (text) => events.push(text) });
  expectNoViolation(rows, events);
});
