import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { countSharedChildren } from "#lib/platform/sandbox/run-in-pool";

const GIB = 1_073_741_824;

test.each([
  ["as many as there are cores, if the memory is enough", 4, 16 * GIB, 1, 4],
  ["at most eight", 64, 16 * GIB, 1, 8],
  ["what the cores allow, if the limit is unknown", 4, 0, 1, 4],
  ["fewer than the cores of the node, if the container has a limit", 64, 1.5 * GIB, 1, 3],
  ["fewer, if several workers share the limit", 64, 3 * GIB, 2, 4],
  ["one in the smallest container", 64, 0.5 * GIB, 1, 1],
])("any workspace may fill %s", (_, cores, memoryBytes, workers, children) => {
  expect(countSharedChildren({ cores, memoryBytes, workers })).toBe(children);
});

test("the limit of the chart is enough for seven children of a worker on any node", () => {
  const values = load(readFileSync("deploy/helm/signalbox/values.yaml", "utf8"));
  const { worker } = values as { worker: { processes: number; resources: { limits: { memory: string } } } };
  const memoryBytes = Number(worker.resources.limits.memory.replace("Gi", "")) * GIB;
  expect(countSharedChildren({ cores: 64, memoryBytes, workers: worker.processes })).toBe(7);
});

test("the formula of the guide gives the memory for a child on each core", () => {
  const guide = readFileSync("docs/guides/deploy.md", "utf8");
  const formula = /^(\d+) MiB \+ processes × \((\d+) MiB \+ (\d+) MiB × \((\d+) \+ cores\)\)$/m.exec(guide);
  const [machine = 0, worker = 0, child = 0, reserved = 0] = (formula ?? []).slice(1).map(Number);
  for (const [workers, cores] of [
    [1, 1],
    [1, 7],
    [3, 4],
  ] as const) {
    const memoryBytes = (machine + workers * (worker + child * (reserved + cores))) * 1_048_576;
    expect(countSharedChildren({ cores: 64, memoryBytes, workers })).toBe(cores);
  }
});
