import { expect, test } from "vitest";
import { type StartWait, waitUntilReady } from "#scripts/instance/wait-until-ready";

const MINUTE_MS = 60_000;

/** Waits while `missing` answers for each minute of the start. */
async function start(missing: (minute: number) => string | null, given: Partial<StartWait> = {}) {
  let minute = -1;
  const named: string[] = [];
  const wait = {
    stop: new AbortController().signal,
    waitFor: (text: string) => void named.push(text),
    findDead: () => null,
    ...given,
  };
  const ask = async () => {
    minute += 1;
    return missing(minute);
  };
  await waitUntilReady(ask, wait, () => Math.max(0, minute) * MINUTE_MS);
  return named;
}

test("a start that makes progress may take an hour, and names what is missing", async () => {
  const named = await start((minute) => (minute < 60 ? `${12 - Math.floor(minute / 5)} not applied` : null));
  expect(named).toHaveLength(60);
  expect(named.at(-1)).toBe("1 not applied");
});

test("a start in which nothing changes for ten minutes gives up and names what is missing", async () => {
  await expect(start(() => "no worker takes jobs yet")).rejects.toThrow(
    "The start made no progress for 10 minutes. Missing: no worker takes jobs yet.",
  );
});

test("a start gives up at once when what it waits for has died", async () => {
  let asked = 0;
  const findDead = () => (asked > 2 ? "A process keeps exiting: worker 1." : null);
  const missing = () => {
    asked += 1;
    return "no worker takes jobs yet";
  };
  await expect(start(missing, { findDead })).rejects.toThrow("A process keeps exiting: worker 1.");
  expect(asked).toBe(3);
});

test("a start that is stopped ends", async () => {
  const missing = () => "the web server does not answer yet";
  await expect(start(missing, { stop: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow("stopped");
});
