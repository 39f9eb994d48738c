import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { countSharedChildren } from "#lib/platform/sandbox/count-children";

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
  const { worker } = parse(readFileSync("deploy/helm/signalbox/values.yaml", "utf8"));
  const memoryBytes = Number(worker.resources.limits.memory.replace("Gi", "")) * GIB;
  expect(countSharedChildren({ cores: 64, memoryBytes, workers: worker.processes })).toBe(7);
});
