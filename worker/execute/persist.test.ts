import { describe, expect, it } from "vitest";
import { LeaseLost } from "#lib/core/engine/lease-lost";
import { isPassing, persist } from "#worker/execute/persist";

const failure = (code: string) => Object.assign(new Error("no"), { code });

describe("what passes", () => {
  it.each(["57P01", "57P03", "08006", "40P01", "53300", "ECONNREFUSED", "ECONNRESET"])("%s", (code) => {
    expect(isPassing(failure(code))).toBe(true);
  });
  it.each(["22P05", "23505", "42601"])("not %s", (code) => {
    expect(isPassing(failure(code))).toBe(false);
  });
  it("a connection that ended or hangs, but neither a lost lease nor a fault of ours", () => {
    expect(isPassing(new Error("Connection terminated unexpectedly"))).toBe(true);
    expect(isPassing(new Error("Query read timeout"))).toBe(true);
    expect(isPassing(new LeaseLost("run"))).toBe(false);
    expect(isPassing(new TypeError("x is not a function"))).toBe(false);
  });
});

describe("persisting", () => {
  it("does it again while the database is away, and says that it may have been done", async () => {
    const tries: boolean[] = [];
    const result = await persist(async (isRepeat) => {
      tries.push(isRepeat);
      if (tries.length < 3) throw failure("57P03");
      return "done";
    });
    expect(result).toBe("done");
    expect(tries).toEqual([false, true, true]);
  });

  it("does nothing again that will not change", async () => {
    let tries = 0;
    const work = persist(async () => {
      tries += 1;
      throw failure("23505");
    });
    await expect(work).rejects.toMatchObject({ code: "23505" });
    expect(tries).toBe(1);
  });
});
