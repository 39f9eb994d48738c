import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { listSnippets } from "#lib/api/documentation/snippet.fixture";
import { startThrowawayPostgres } from "#scripts/postgres/throwaway-postgres";
import { startPgbouncer } from "#scripts/postgres-servers/start-pgbouncer";
import { type Standby, startStandby } from "#scripts/postgres-servers/start-standby";

let standby: Standby | undefined;
const primary = await startThrowawayPostgres({ settings: {} });
const pooler = await startPgbouncer({ databaseUrl: primary.cluster.url("postgres"), poolSize: 2 });
afterAll(async () => {
  await pooler.remove();
  await standby?.remove();
  await primary.remove();
});

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

test("a promoted synchronous standby has every confirmed row, and pgbouncer can switch to it", async () => {
  const url = primary.cluster.url("postgres");
  await query(url, "create table kept (id bigint primary key)");
  let isWriting = true;
  const confirmed: number[] = [];
  const writing = (async () => {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    await client.connect();
    for (let id = 1; isWriting; id += 1) {
      await client.query("insert into kept values ($1)", [id]);
      confirmed.push(id);
    }
    await client.end();
  })();
  standby = await startStandby(primary, { isSynchronous: true });
  const replica = standby.cluster.url("postgres");
  await expect(query(replica, "insert into kept values (0)")).rejects.toMatchObject({ code: "25006" });
  isWriting = false;
  await writing;
  expect(confirmed.length).toBeGreaterThan(0);

  await primary.cluster.stop("immediate");
  await standby.promote();
  await pooler.retarget(replica);
  expect(await query(pooler.url, "select count(*)::int as kept from kept")).toEqual([{ kept: confirmed.length }]);
  await query(pooler.url, "insert into kept values (0)");
});

test("pgbouncer serves many clients with few server connections", async () => {
  const clients = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const client = new pg.Client({ connectionString: pooler.url });
      await client.connect();
      return client;
    }),
  );
  const answers = await Promise.all(clients.map((client) => client.query("select pg_backend_pid() as pid")));
  expect(new Set(answers.map(({ rows }) => rows[0].pid)).size).toBeLessThanOrEqual(2);
  expect((await pooler.show("clients")).filter(({ database }) => database === "postgres")).toHaveLength(20);
  await Promise.all(clients.map((client) => client.end()));
});

test("pgbouncer starts with the settings of the guide", async () => {
  const guide = "docs/guides/postgresql.md";
  const ini = listSnippets(guide, readFileSync(guide, "utf8")).find(({ language }) => language === "ini")?.code ?? "";
  const [, own = ""] = ini.split("[pgbouncer]\n");
  const given = Object.fromEntries(own.split("\n").map((line) => line.split(" = ") as [string, string]));
  const { listen_addr: _address, listen_port: _port, auth_file: _file, ...settings } = given;
  expect(settings).toMatchObject({ pool_mode: "transaction", auth_type: "scram-sha-256" });
  const guided = await startPgbouncer({ databaseUrl: pooler.url, settings });
  expect(await query(guided.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await guided.remove();
});
