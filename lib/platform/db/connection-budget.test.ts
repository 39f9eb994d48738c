import { expect, test } from "vitest";
import { connectionsOf, explainShortage, readConnectionLimit } from "#lib/platform/db/connection-budget";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

test.each([
  ["web", 17, 1],
  ["worker", 32, 2],
  ["all", 45, 3],
  ["migrate", 2, 2],
] as const)("a machine with the role %s opens up to %i connections, %i of them past a pooler", (role, all, direct) => {
  const machine = { role, workers: 1, poolSize: 12 };
  const { statements, sessions } = connectionsOf({ ...machine, hasPooler: false });
  expect(statements + sessions).toBe(all);
  expect(connectionsOf({ ...machine, hasPooler: true }).sessions).toBe(direct);
});

test("the lowest limit of the server, the role and the database counts", async () => {
  const client = await db().connect();
  const { rows } = await client.query(
    "select current_database() as name, current_setting('max_connections')::int as max",
  );
  const first = await readConnectionLimit(client);
  expect(first.name).toBe("max_connections minus reserved connections");
  expect(first.connections).toBeLessThan(rows[0].max);
  await client.query(`alter database ${rows[0].name} connection limit 7`);
  expect(await readConnectionLimit(client)).toEqual({
    connections: 7,
    name: "the connection limit of the database",
  });
  client.release();
});

test("a shortage is reported with both numbers and the fix, and enough connections are not", () => {
  const limit = { connections: 20, name: "max_connections minus reserved connections" } as const;
  expect(explainShortage(20, limit)).toBeNull();
  expect(explainShortage(45, limit)).toMatch(
    /up to 45 connections.*allows only 20 \(max_connections minus reserved connections\).*DATABASE_POOL_SIZE/,
  );
});
