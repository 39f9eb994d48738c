import { describe, expect, test } from "vitest";
import { type FairTurns, openTurns, type QueuedCall } from "#lib/platform/child-pool/fair-turns";

const RULES = { shared: 2, reserved: 2, queuedCalls: 1_000, queuedBytes: 1_000_000 };

const callOf = (workspaceId: string, bytes = 1): QueuedCall => ({ workspaceId, bytes });

function joinAll(turns: FairTurns<QueuedCall>, workspaceIds: string): QueuedCall[] {
  const calls = [...workspaceIds].map((id) => callOf(id));
  for (const call of calls) expect(turns.join(call)).toBe(true);
  return calls;
}

/** Gives all turns that may be given now. */
function nextTurns(turns: FairTurns<QueuedCall>): QueuedCall[] {
  const given: QueuedCall[] = [];
  for (let call = turns.next(); call; call = turns.next()) given.push(call);
  return given;
}

const namesOf = (calls: QueuedCall[]) => calls.map(({ workspaceId }) => workspaceId).join("");

describe("turns", () => {
  test("one workspace alone uses all shared turns, in the order of its calls, and never a reserved one", () => {
    const turns = openTurns(RULES);
    const calls = joinAll(turns, "aaaaa");
    const given = nextTurns(turns);
    expect(given).toEqual(calls.slice(0, 2));
    expect([turns.running(), turns.waiting()]).toEqual([2, 3]);
  });

  test("endless calls of one workspace never delay the first call of another", () => {
    const turns = openTurns(RULES);
    joinAll(turns, "a".repeat(500));
    nextTurns(turns);
    for (let round = 0; round < 100; round += 1) {
      joinAll(turns, "v");
      const given = nextTurns(turns);
      expect(namesOf(given)).toBe("v");
      for (const call of given) turns.end(call);
    }
  });

  test("a second call of a workspace waits while another workspace waits for its first", () => {
    const turns = openTurns({ ...RULES, reserved: 0 });
    joinAll(turns, "aaaa");
    const [first] = nextTurns(turns);
    joinAll(turns, "bc");
    if (first) turns.end(first);
    expect(namesOf(nextTurns(turns))).toBe("b");
  });

  test("workspaces take turns, however old and how many the calls of one are", () => {
    const turns = openTurns({ ...RULES, shared: 1, reserved: 0 });
    joinAll(turns, `${"a".repeat(50)}bbbcccc`);
    let order = "";
    for (let turn = 0; turn < 12; turn += 1) {
      const given = nextTurns(turns);
      order += namesOf(given);
      for (const call of given) turns.end(call);
    }
    expect(order).toBe("abcabcabcaca");
  });

  test("a workspace that sends one call at a time does not overtake those that already wait", () => {
    const turns = openTurns({ ...RULES, shared: 1, reserved: 0 });
    joinAll(turns, "vv");
    let order = "";
    for (let turn = 0; turn < 4; turn += 1) {
      const given = nextTurns(turns);
      order += namesOf(given);
      joinAll(turns, turn === 0 ? "x" : "");
      for (const call of given) turns.end(call);
      if (namesOf(given) === "x") joinAll(turns, "x");
    }
    expect(order).toBe("vvxx");
  });

  test("a workspace never has more calls running than its limit, even while turns are free", () => {
    const turns = openTurns({ ...RULES, shared: 3, reserved: 0, perWorkspace: 1 });
    joinAll(turns, "aaab");
    const [first, second] = nextTurns(turns);
    expect(namesOf([first, second].flatMap((call) => call ?? []))).toBe("ab");
    expect([turns.running(), turns.waiting()]).toEqual([2, 2]);
    if (second) turns.end(second);
    expect(nextTurns(turns)).toEqual([]);
    if (first) turns.end(first);
    expect(namesOf(nextTurns(turns))).toBe("a");
  });

  test("a call that leaves the queue gets no turn and makes room", () => {
    const turns = openTurns({ ...RULES, shared: 1, queuedCalls: 2 });
    const [, second, third] = [...joinAll(turns, "a"), ...nextTurns(turns).slice(1), ...joinAll(turns, "aa")];
    expect(turns.join(callOf("a"))).toBe(false);
    if (second) turns.leave(second);
    expect(turns.join(callOf("a"))).toBe(true);
    if (third) turns.leave(third);
    expect(turns.waiting()).toBe(1);
  });
});

describe("what may wait", () => {
  test("is bounded in number for each workspace, without effect on others", () => {
    const turns = openTurns({ ...RULES, queuedCalls: 3 });
    joinAll(turns, "aaa");
    expect(turns.join(callOf("a"))).toBe(false);
    expect(turns.join(callOf("b"))).toBe(true);
  });

  test("is bounded in bytes for each workspace, without effect on others", () => {
    const turns = openTurns({ ...RULES, queuedBytes: 100 });
    expect(turns.join(callOf("a", 60))).toBe(true);
    expect(turns.join(callOf("a", 41))).toBe(false);
    expect(turns.join(callOf("a", 40))).toBe(true);
    expect(turns.join(callOf("b", 60))).toBe(true);
  });

  test("includes one call of any size", () => {
    const turns = openTurns({ ...RULES, queuedBytes: 100 });
    expect(turns.join(callOf("a", 1_000))).toBe(true);
    expect(turns.join(callOf("a", 1))).toBe(false);
  });
});
