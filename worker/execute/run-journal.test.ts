import { expect, test } from "vitest";
import { NO_MASK } from "#lib/core/redaction/mask-texts";
import { newCleanPayloads } from "#lib/core/redaction/sanitize";
import type { JournalWrite } from "#lib/domain/journal/append-events";
import type { OpenedRun } from "#lib/domain/runs/execute/open-runs";
import { realClock } from "#worker/execute/real-clock";
import { openJournal } from "#worker/execute/run-journal";

test("a run that ends before its first write is not claimed while its last statement is prepared", async () => {
  const writes: JournalWrite[] = [];
  const journal = openJournal({
    clock: realClock,
    run: { workspaceId: "w", lease: { runId: "r", token: 1, isClaimed: false } } as OpenedRun,
    mask: NO_MASK,
    cleaned: newCleanPayloads(),
    append: async (write) => writes.push(write) > 0,
    onWritten: () => {},
    onError: (error) => {
      throw error;
    },
  });
  journal.append({ kind: "step_completed", nodeId: "a", iteration: "", attempt: 1, at: new Date(), outputData: 1 });
  journal.flushSoon();
  const rest = await journal.rest();
  await new Promise((resolve) => setImmediate(resolve));
  expect(JSON.parse(rest.events)).toHaveLength(1);
  expect(writes).toEqual([]);
});
