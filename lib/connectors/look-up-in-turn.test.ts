import { expect, test } from "vitest";
import { lookUpInTurn, type NameLookup } from "#lib/connectors/look-up-in-turn";

const ADDRESS = { address: "203.0.113.7", family: 4 };

/** Name servers that answer when the test says so. */
function nameServers() {
  const asked = new Map<string, () => void>();
  const lookup: NameLookup = (hostname, _options, callback) => {
    asked.set(hostname, () => callback(null, [ADDRESS]));
  };
  return { lookup, asked };
}

const stay = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("name servers that never answer delay only the workspace that asks them", async () => {
  const { lookup, asked } = nameServers();
  const names = lookUpInTurn(lookup);
  for (let i = 0; i < 100; i += 1) names.find(`${i}.slow.example`, "attacker", stay).catch(() => undefined);
  const found = names.find("api.example", "victim", stay);
  await settle();
  expect([...asked.keys()].filter((name) => name.endsWith(".slow.example"))).toHaveLength(4);
  asked.get("api.example")?.();
  await found;
  expect(names.isKnown("api.example")).toBe(true);
});

test("a caller that leaves keeps its turn until the lookup ends, and one that waits takes none", async () => {
  const { lookup, asked } = nameServers();
  const names = lookUpInTurn(lookup);
  const abort = new AbortController();
  const left = [0, 1, 2, 3, 4].map((i) => names.find(`${i}.example`, "one", abort.signal));
  const stays = names.find("last.example", "one", stay);
  await settle();
  abort.abort(new Error("left"));
  for (const call of left) await expect(call).rejects.toThrow("left");
  await settle();
  expect([...asked.keys()]).toEqual(["0.example", "1.example", "2.example", "3.example"]);
  asked.get("0.example")?.();
  await settle();
  expect([...asked.keys()].at(-1)).toBe("last.example");
  asked.get("last.example")?.();
  await stays;
});

test("calls of the same moment and of the next seconds need one lookup", async () => {
  const { lookup, asked } = nameServers();
  let lookups = 0;
  const names = lookUpInTurn((hostname, options, callback) => {
    lookups += 1;
    lookup(hostname, options, callback);
  });
  const calls = Array.from({ length: 50 }, () => names.find("api.example", "one", stay));
  await settle();
  asked.get("api.example")?.();
  await Promise.race(calls);
  expect(lookups).toBeLessThanOrEqual(4);
  await new Promise<void>((resolve, reject) => {
    names.lookup("api.example", { all: true }, (error, addresses) => {
      if (error) reject(error);
      expect(addresses).toEqual([ADDRESS]);
      resolve();
    });
  });
  expect(lookups).toBeLessThanOrEqual(4);
});
