import { describe, expect, test } from "vitest";
import { parseDatabaseUrl } from "#lib/platform/config/database-address";

describe("an address of a database", () => {
  test("names a user, a password with any characters, a host, a port and a database", () => {
    expect(parseDatabaseUrl("postgresql://ada:p%40ss:w%2Frd@db.internal:6000/signal%20box")).toEqual({
      servers: [{ host: "db.internal", port: 6000 }],
      user: "ada",
      password: "p@ss:w/rd",
      database: "signal box",
      tls: undefined,
      options: "",
      applicationName: undefined,
    });
  });

  test("names several servers, of which each has its own port", () => {
    const { servers } = parseDatabaseUrl("postgres://ada@a:6000,b,[::1]:7000/box?target_session_attrs=read-write");
    expect(servers).toEqual([
      { host: "a", port: 6000 },
      { host: "b", port: 5432 },
      { host: "::1", port: 7000 },
    ]);
  });

  test("names the folder of a socket", () => {
    const socket = [{ host: "/run/postgresql", port: 5433 }];
    expect(parseDatabaseUrl("postgres:///box?host=/run/postgresql&port=5433").servers).toEqual(socket);
    expect(parseDatabaseUrl("postgres://ada@%2Frun%2Fpostgresql:5433/box").servers).toEqual(socket);
  });

  test.each([
    ["sslmode=disable", null],
    ["sslmode=require", { mode: "require" }],
    ["sslmode=require&channel_binding=require", { mode: "require" }],
    ["sslmode=require&sslrootcert=ca.pem", { mode: "verify-ca", rootCertificate: "ca.pem" }],
    ["sslmode=verify-full", { mode: "verify-full" }],
    ["sslmode=verify-full&sslcert=a.pem&sslkey=a.key", { mode: "verify-full", certificate: "a.pem", key: "a.key" }],
    ["ssl=true", { mode: "verify-full" }],
  ])("asks for TLS as PostgreSQL's own library understands %s", (query, tls) => {
    expect(parseDatabaseUrl(`postgres://db/box?${query}`).tls).toEqual(tls && { isDirect: false, ...tls });
  });

  test.each([
    ["mysql://db/box", /postgres:\/\/user/],
    ["postgres://db:99999/box", /port 99999/],
    ["postgres://a b:c:d/box", /host "a b:c:d"/],
    ["postgres://db/box?sslmode=prefer", /sslmode: must be disable, require/],
    ["postgres://db/box?sslmode=verify-ca", /sslrootcert: must be the file/],
    ["postgres://db/box?sslrootcert=ca.pem", /sslmode: must be set/],
    ["postgres://db/box?sslmode=require&sslrootcert=system", /sslmode: must be verify-full/],
    ["postgres://db/box?sslmode=verify-full&sslcert=a.pem", /sslcert and sslkey/],
    ["postgres://db/box?target_session_attrs=standby", /target_session_attrs: must be read-write/],
  ])("is refused with what to change: %s", (url, message) => {
    expect(() => parseDatabaseUrl(url)).toThrow(message);
  });
});
