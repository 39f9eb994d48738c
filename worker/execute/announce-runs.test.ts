import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { RUNS_CHANNEL } from "#lib/domain/runs/notify/notify-runs";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";
import { openAnnouncer } from "#worker/execute/announce-runs";
import { until } from "#worker/supervise/worker-process.fixture";

useTestDatabase();

let listener: pg.Client;
afterEach(() => listener.end());

async function listen(): Promise<string[]> {
  const notices: string[] = [];
  listener = new pg.Client({ connectionString: process.env.DATABASE_URL });
  listener.on("notification", ({ payload }) => notices.push(payload ?? ""));
  await listener.connect();
  await listener.query(`listen ${RUNS_CHANNEL}`);
  return notices;
}

describe("notices of changed runs", () => {
  it("announce a burst of changes once, with a pair of ids for each run", async () => {
    const notices = await listen();
    const announcer = openAnnouncer();
    const [workspaceId, first, second] = [uuidv7(), uuidv7(), uuidv7()];
    for (const runId of [first, second, first]) announcer.announce(workspaceId, runId);
    await until("the notice", () => notices.length > 0);
    expect(notices).toEqual([`${workspaceId}:${first},${workspaceId}:${second}`]);
    await announcer.close();
  });

  it("are split to fit PostgreSQL's limit, and all are sent before closing", async () => {
    const notices = await listen();
    const announcer = openAnnouncer();
    const workspaceId = uuidv7();
    for (let count = 0; count < 250; count += 1) announcer.announce(workspaceId, uuidv7());
    await announcer.close();
    await until("the notices", () => notices.length === 3);
    expect(notices.join(",").split(",")).toHaveLength(250);
  });
});
