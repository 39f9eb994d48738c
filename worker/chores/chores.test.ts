import { expect, test } from "vitest";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";
import { uuidv7 } from "#lib/support/ids";
import { startChores } from "#worker/chores/chores";

useTestDatabase();

test("chores delete old sessions and mail counts without loading Prisma, which takes 75 MB of an idle worker", async () => {
  const { workspaceId, userId } = await addWorkspace();
  for (const days of [1, 9]) {
    const at = [uuidv7(), userId, days];
    await db().query(
      `insert into user_sessions (id, user_id, method, user_agent, address, last_seen_at)
       values ($1, $2, 'password', '', '', now() - make_interval(days => $3))`,
      at,
    );
    await db().query(
      `insert into invite_mails (id, workspace_id, email, created_at)
       values ($1, $2, 'a@example.com', now() - make_interval(hours => $3))`,
      [uuidv7(), workspaceId, days * 5],
    );
  }
  // Undoes the fixture's use of Prisma.
  Reflect.deleteProperty(globalThis, "signalboxPrisma");
  const chores = startChores({
    pool: db(),
    send: () => Promise.reject(new Error("no chore sends anything here")),
    isSteady: () => true,
    onQuarantineNeeded: () => undefined,
  });
  await eventually(async () => {
    const { rows } = await db().query(
      "select (select count(*) from user_sessions) + (select count(*) from invite_mails) as n",
    );
    expect(rows).toEqual([{ n: 2 }]);
  });
  chores.stop();
  expect(globalThis).not.toHaveProperty("signalboxPrisma");
});
