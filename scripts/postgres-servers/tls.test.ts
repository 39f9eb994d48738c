import { chown, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { connectClient } from "#lib/platform/db/connect-client";
import { connectionOptions } from "#lib/platform/db/connection-options";
import { explainConnectionError } from "#lib/platform/db/explain-connection-error";
import { createPool } from "#lib/platform/db/pool";
import { migrate } from "#prisma/migrate";
import { openDatabase } from "#scripts/postgres/database";
import { startThrowawayPostgres } from "#scripts/postgres/throwaway-postgres";
import { runProgram } from "#scripts/run-program";
import { canInstallDebianPackages, installDebianPackage } from "#scripts/testing/install-debian-package";

const file = (name: string) => join(folder, name);

async function openssl(...args: string[]): Promise<void> {
  await runProgram("openssl", args, { cwd: folder });
}

/** Creates a CA and certificates signed by it: one of the server `localhost`, and one of the user `postgres`. */
async function makeCertificates(): Promise<void> {
  for (const name of ["ca", "other-ca"]) {
    const self = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${name}`];
    await openssl(...self, "-keyout", `${name}.key`, "-out", `${name}.pem`);
  }
  for (const [name, subject, names] of [
    ["server", "db.internal", "DNS:localhost"],
    ["client", "postgres", "DNS:postgres"],
  ] as const) {
    const request = ["req", "-newkey", "rsa:2048", "-nodes", "-subj", `/CN=${subject}`];
    await openssl(...request, "-keyout", `${name}.key`, "-out", `${name}.csr`);
    await writeFile(file(`${name}.ext`), `subjectAltName=${names}\n`);
    const sign = ["x509", "-req", "-in", `${name}.csr`, "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"];
    await openssl(...sign, "-days", "2", "-extfile", `${name}.ext`, "-out", `${name}.pem`);
  }
}

/** Makes the server accept only TLS. The database `guarded` also requires a client certificate. */
async function turnTlsOn(): Promise<void> {
  const admin = new pg.Client({ connectionString: postgres.cluster.url("postgres") });
  await admin.connect();
  await admin.query("create database guarded");
  const { rows } = await admin.query<{ data_directory: string }>("show data_directory");
  const home = rows[0]?.data_directory ?? "";
  const owner = await stat(home);
  for (const name of ["server.key", "server.pem", "ca.pem"]) {
    await writeFile(join(home, name), await readFile(file(name)), { mode: 0o600 });
    await chown(join(home, name), owner.uid, owner.gid);
  }
  const hosts = "127.0.0.1/32 scram-sha-256";
  await writeFile(
    join(home, "pg_hba.conf"),
    `hostssl guarded all ${hosts} clientcert=verify-full\nhostssl postgres all ${hosts}\n`,
  );
  const settings = { ssl_cert_file: "server.pem", ssl_key_file: "server.key", ssl_ca_file: "ca.pem", ssl: "on" };
  for (const [name, value] of Object.entries(settings)) await admin.query(`alter system set ${name} = '${value}'`);
  await admin.query("select pg_reload_conf()");
  await admin.end();
}

const folder = await mkdtemp(join(tmpdir(), "signalbox-tls-"));
if (canInstallDebianPackages()) {
  await runProgram("openssl", ["version"]).catch(() => installDebianPackage("openssl"));
}
await makeCertificates();
const postgres = await startThrowawayPostgres({ settings: { fsync: "off" } });
await turnTlsOn();
afterAll(async () => {
  await postgres.remove();
  await rm(folder, { recursive: true, force: true });
});

function address(query: string, { host = "localhost", database = "postgres" } = {}): string {
  const url = new URL(postgres.cluster.url(database));
  url.hostname = host;
  return `${url.href}?${query}`;
}

/** Opens a connection. Returns the TLS version that the server reports, or the error that the user reads. */
async function tryAddress(url: string): Promise<string> {
  try {
    const client = await connectClient(connectionOptions(url));
    const { rows } = await client.query("select version from pg_stat_ssl where pid = pg_backend_pid()");
    await client.end();
    return rows[0].version;
  } catch (error) {
    return explainConnectionError(error);
  }
}

describe("a server with TLS", () => {
  test("accepts every mode whose conditions it meets", async () => {
    const ca = `sslrootcert=${file("ca.pem")}`;
    for (const query of [`sslmode=verify-full&${ca}`, `sslmode=verify-ca&${ca}`, `sslmode=require&${ca}`]) {
      expect(await tryAddress(address(query)), query).toBe("TLSv1.3");
    }
    expect(await tryAddress(address("sslmode=require"))).toBe("TLSv1.3");
    expect(await tryAddress(address(`sslmode=verify-ca&${ca}`, { host: "127.0.0.1" }))).toBe("TLSv1.3");
  });

  test("is refused if its CA is a different one, and the message says which parameter to set", async () => {
    const other = `sslrootcert=${file("other-ca.pem")}`;
    for (const query of [`sslmode=verify-full&${other}`, `sslmode=verify-ca&${other}`, "sslmode=verify-full"]) {
      expect(await tryAddress(address(query)), query).toContain("Set sslrootcert in the address");
    }
  });

  test("is refused by verify-full if its certificate does not have the name", async () => {
    const query = `sslmode=verify-full&sslrootcert=${file("ca.pem")}`;
    expect(await tryAddress(address(query, { host: "127.0.0.1" }))).toContain(
      "Use a name from the server's certificate",
    );
  });

  test("refuses a connection without TLS, and the message says what to set", async () => {
    expect(await tryAddress(address("sslmode=disable"))).toContain("set sslmode=verify-full");
  });

  test("can require a client certificate", async () => {
    const base = `sslmode=verify-full&sslrootcert=${file("ca.pem")}`;
    const guarded = { database: "guarded" };
    expect(await tryAddress(address(base, guarded))).toContain("certificate");
    const own = `sslcert=${file("client.pem")}&sslkey=${file("client.key")}`;
    expect(await tryAddress(address(`${base}&${own}`, guarded))).toBe("TLSv1.3");
  });

  test("works for pools, migrations, and the start", async () => {
    const url = address(`sslmode=verify-full&sslrootcert=${file("ca.pem")}`);
    const pool = createPool({ ...connectionOptions(url), max: 1, query_timeout: 10_000 });
    const { rows } = await pool.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    await pool.end();
    expect(rows).toEqual([{ ssl: true }]);
    expect((await migrate(url)).length).toBeGreaterThan(0);
    process.env.DATABASE_URL = address(`sslmode=verify-full&sslrootcert=${file("other-ca.pem")}`);
    await expect(openDatabase(folder, "")).rejects.toThrow(/^DATABASE_URL: .*Set sslrootcert/);
    process.env.DATABASE_URL = url;
    await (await openDatabase(folder, "")).close();
  });

  test("with a missing file, the message names the parameter and the file", async () => {
    const answer = await tryAddress(address(`sslmode=verify-full&sslrootcert=${file("none.pem")}`));
    expect(answer).toMatch(/^sslrootcert: ENOENT.*none\.pem/);
  });
});
