import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { addSession } from "#lib/domain/accounts/session.fixture";
import { startSession } from "#lib/domain/accounts/start-session";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

test("a sign-in above the limit of stored sessions ends the one that was not used for the longest time", async () => {
  const { userId } = await addWorkspace();
  const { userId: otherId } = await addWorkspace();
  const sessions: string[] = [];
  for (let n = 0; n < LIMITS.sessionsPerUser; n += 1) {
    const { sessionId } = await addSession(userId);
    sessions.push(sessionId ?? "");
    const age = "update user_sessions set last_seen_at = now() - make_interval(hours => $2) where id = $1";
    // The third one is the oldest by use.
    await db().query(age, [sessionId, n === 2 ? 100 : LIMITS.sessionsPerUser - n]);
  }
  await addSession(otherId);
  const client = { address: "203.0.113.9", userAgent: "a browser" };
  const made = await startSession({ userId, name: "Ann", method: "password", secondFactor: null, client });
  const { rows } = await db().query("select id from user_sessions where user_id = $1 order by id", [userId]);
  expect(rows.map(({ id }) => id)).toEqual([...sessions.filter((_, n) => n !== 2), made].sort());
  const others = await db().query("select 1 from user_sessions where user_id = $1", [otherId]);
  expect(others.rows).toHaveLength(1);
});
