import { expect, test } from "vitest";
import type { EngineEvent } from "#lib/core/engine/ports";
import type { JournalWrite } from "#lib/domain/journal/append-events";
import type { OpenedRun } from "#lib/domain/runs/execute/open-runs";
import { realClock } from "#worker/execute/real-clock";
import { openJournal } from "#worker/execute/run-journal";

const RUN = { workspaceId: "w", lease: { runId: "r", token: 1, isClaimed: true } } as OpenedRun;

function journalInto(writes: JournalWrite[]) {
  return openJournal({
    clock: realClock,
    run: RUN,
    append: async (write) => writes.push(write) > 0,
    onWritten: () => {},
    onError: (error) => {
      throw error;
    },
  });
}

function stepWith(characters: number): EngineEvent {
  const outputData = { text: "x y ".repeat(characters / 4) };
  return { kind: "step_completed", nodeId: "a", iteration: "", attempt: 1, at: new Date(), outputData };
}

test("a run with large payloads writes its journal in parts, not at its end", async () => {
  const writes: JournalWrite[] = [];
  const journal = journalInto(writes);
  for (let step = 0; step < 40; step += 1) {
    journal.append(stepWith(500_000));
    await journal.keepUp();
  }
  const rest = await journal.rest();
  expect(writes.length).toBeGreaterThanOrEqual(13);
  for (const text of [...writes.map((write) => write.batch.events), rest.events]) {
    expect(text.length).toBeLessThan(2_000_000);
  }
});

test("a run with small payloads writes its journal once", async () => {
  const writes: JournalWrite[] = [];
  const journal = journalInto(writes);
  for (let step = 0; step < 400; step += 1) {
    journal.append(stepWith(400));
    expect(journal.keepUp()).toBeNull();
  }
  expect(JSON.parse((await journal.rest()).events)).toHaveLength(400);
  expect(writes).toEqual([]);
});
