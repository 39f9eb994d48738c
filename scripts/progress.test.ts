import { expect, test } from "vitest";
import { showStep } from "#scripts/progress";

/** Runs a step that takes this many seconds, and returns what it showed. */
async function show(seconds: number, isTerminal: boolean, missing?: string): Promise<string> {
  let shown = "";
  let nowMs = 0;
  let tick = () => {};
  const display = {
    write: (text: string) => {
      shown += text;
    },
    isTerminal,
    now: () => nowMs,
    everySecond: (given: () => void) => {
      tick = given;
      return () => {
        tick = () => {};
      };
    },
  };
  const work = async (_: unknown, waitFor: (text: string) => void) => {
    if (missing) waitFor(missing);
    for (let second = 0; second < seconds; second += 1) {
      nowMs += 1_000;
      tick();
    }
  };
  await showStep("Starting PostgreSQL", work, display);
  tick();
  return shown;
}

test("a quick step is one line", async () => {
  expect(await show(9, false)).toBe("  Starting PostgreSQL ... 9.0 s\n");
});

test("a slow step says every ten seconds that it is not done, and what it waits for", async () => {
  expect(await show(25, false, "the web server does not answer yet")).toBe(
    [
      "  Starting PostgreSQL ... not done after 10 s: the web server does not answer yet",
      "  Starting PostgreSQL ... not done after 20 s: the web server does not answer yet",
      "  Starting PostgreSQL ... 25.0 s\n",
    ].join("\n"),
  );
});

test("on a terminal the seconds count up in between", async () => {
  const shown = await show(11, true);
  expect(shown).toContain("\r  Starting PostgreSQL ... 9 s \r  Starting PostgreSQL ... not done after 10 s\n");
  expect(shown.endsWith("\r  Starting PostgreSQL ... 11.0 s\n")).toBe(true);
});
