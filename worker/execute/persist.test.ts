import { describe, expect, it } from "vitest";
import { persist } from "#worker/execute/persist";

const failure = (code: string) => Object.assign(new Error("no"), { code });

describe("persisting", () => {
  it("retries while the database is unavailable, and warns that the work may be done already", async () => {
    const tries: boolean[] = [];
    const result = await persist(async (isRepeat) => {
      tries.push(isRepeat);
      if (tries.length < 3) throw failure("57P03");
      return "done";
    });
    expect(result).toBe("done");
    expect(tries).toEqual([false, true, true]);
  });

  it("does not retry an error that would happen again", async () => {
    let tries = 0;
    const work = persist(async () => {
      tries += 1;
      throw failure("23505");
    });
    await expect(work).rejects.toMatchObject({ code: "23505" });
    expect(tries).toBe(1);
  });
});
