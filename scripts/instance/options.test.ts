import { describe, expect, test } from "vitest";
import { parseOptions } from "#scripts/instance/options";

describe("the options of a launch", () => {
  test("come from the command line, and the port also from the environment", () => {
    expect(parseOptions([], {} as NodeJS.ProcessEnv)).toEqual({
      port: 3000,
      reset: false,
      seed: true,
      json: false,
      role: "all",
    });
    expect(parseOptions([], { PORT: "4000" } as unknown as NodeJS.ProcessEnv)?.port).toBe(4000);
    expect(parseOptions(["--port=5000", "--no-seed"], { PORT: "4000" } as unknown as NodeJS.ProcessEnv)).toMatchObject({
      port: 5000,
      seed: false,
    });
  });

  test("name the role of a machine, which the environment can name too", () => {
    const shared = { DATABASE_URL: "postgres://db/x", ENCRYPTION_KEYS: "k1:x", NEXTAUTH_SECRET: "n" };
    const roleOf = (args: string[], env: object = {}) =>
      parseOptions(args, { ...shared, ...env } as unknown as NodeJS.ProcessEnv);
    expect(roleOf(["--web"])).toMatchObject({ role: "web", seed: false });
    expect(roleOf([], { ROLE: "worker" })).toMatchObject({ role: "worker" });
    expect(roleOf(["--migrate"], { ROLE: "worker" })).toMatchObject({ role: "migrate" });
    expect(() => roleOf(["--web", "--worker"])).toThrow("--web and --worker: choose one");
    expect(() => roleOf([], { ROLE: "webb" })).toThrow("ROLE: must be all, web, worker, migrate");
    expect(() => roleOf(["--web"], { NEXTAUTH_SECRET: "", ENCRYPTION_KEYS: "" })).toThrow(
      "--web needs ENCRYPTION_KEYS and NEXTAUTH_SECRET, the same on every machine",
    );
    expect(() => roleOf(["--worker", "--reset"])).toThrow("--reset");
  });

  test("are refused if they are unknown or invalid", () => {
    expect(() => parseOptions(["--prot", "1"], {} as NodeJS.ProcessEnv)).toThrow(/--prot/);
    expect(() => parseOptions(["--port", "x"], {} as NodeJS.ProcessEnv)).toThrow(/--port/);
  });
});
