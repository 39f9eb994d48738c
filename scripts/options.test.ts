import { describe, expect, test } from "vitest";
import { parseOptions } from "#scripts/options";

describe("the options of a launch", () => {
  test("come from the command line, and the port also from the environment", () => {
    expect(parseOptions([], {} as NodeJS.ProcessEnv)).toEqual({ port: 3000, reset: false, seed: true, json: false });
    expect(parseOptions([], { PORT: "4000" } as unknown as NodeJS.ProcessEnv)?.port).toBe(4000);
    expect(parseOptions(["--port=5000", "--no-seed"], { PORT: "4000" } as unknown as NodeJS.ProcessEnv)).toMatchObject({
      port: 5000,
      seed: false,
    });
  });

  test("are refused when they are unknown or invalid", () => {
    expect(() => parseOptions(["--prot", "1"], {} as NodeJS.ProcessEnv)).toThrow(/--prot/);
    expect(() => parseOptions(["--port", "x"], {} as NodeJS.ProcessEnv)).toThrow(/--port/);
  });
});
