import { beforeEach, expect, test, vi } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import type { Definition } from "#lib/contract/workflow/graph";
import type { OpenedRun } from "#lib/domain/runs/execute/open-runs";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";
import { getPlan } from "#worker/execute/plans";

const BYTES = 1_000_000;
const findDefinition = vi.hoisted(() => vi.fn<(versionId: string) => Promise<Definition>>());
vi.mock(import("#lib/domain/runs/read/find-version-definition"), () => ({ findVersionDefinition: findDefinition }));

useTestDatabase();

beforeEach(() => {
  findDefinition.mockReset().mockImplementation(async (versionId) => {
    const data = { fields: [{ name: "text", value: versionId.padEnd(BYTES, "-") }] };
    return { schema_version: 1, nodes: [{ id: "t", type: "transform", data, position: { x: 0, y: 0 } }], edges: [] };
  });
});

function planOf(versionId: string) {
  const lease = { runId: uuidv7(), token: 0, isClaimed: false };
  const run: OpenedRun = {
    lease,
    workspaceId: uuidv7(),
    versionId,
    definition: null,
    input: {},
    inputSealed: null,
    traceparent: null,
    isSubRun: false,
    redactsOutput: false,
    remainingMs: 1_000,
    retries: [],
    journalBytes: null,
    hasJournal: false,
  };
  return getPlan(db(), run);
}

test("a worker's compiled plans are bounded in bytes, and the last used plan is kept", async () => {
  const ids = Array.from({ length: Math.ceil(LIMITS.definitionCacheBytes / BYTES) + 1 }, () => uuidv7());
  for (const id of ids) await planOf(id);
  const [first = "", last = ""] = [ids[0], ids.at(-1)];
  findDefinition.mockClear();
  await planOf(last);
  expect(findDefinition).not.toHaveBeenCalled();
  await planOf(first);
  expect(findDefinition).toHaveBeenCalledWith(first);
});
