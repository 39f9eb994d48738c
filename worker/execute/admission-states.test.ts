import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Admission, type AdmittedRun, NO_WORKSPACE } from "#lib/domain/runs/execute/admit-runs";
import { readStates } from "#lib/support/read-states.fixture";
import { ADMISSION_TRANSITIONS, type AdmissionState, findIntake } from "#worker/execute/admission-states";
import { startDelivering } from "#worker/execute/run-admission.fixture";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Starts an admission whose requests and runs end when the test says so, and counts its requests. */
function openQueue() {
  const requests: { wanted: number; answer: (admission: Partial<Admission>) => void; fail: (error: Error) => void }[] =
    [];
  const running: (() => void)[] = [];
  const admission = startDelivering({
    slots: 2,
    workingMax: () => 2,
    pollMs: 2 ** 31 - 1,
    admit: ({ wanted }) =>
      new Promise((resolve, reject) => {
        const base = { runs: [], lastWorkspace: NO_WORKSPACE, hasMore: false, nextInMs: null };
        requests.push({ wanted, answer: (answer) => resolve({ ...base, ...answer }), fail: reject });
      }),
    execute: () => new Promise((resolve) => running.push(() => resolve("settled"))),
    drop: async () => {},
    giveBack: async () => {},
  });
  let tickets = 0;
  const runs = (count: number) =>
    Array.from({ length: count }, (): AdmittedRun => {
      tickets += 1;
      return { runId: `${tickets}`, ticket: tickets, jobId: tickets };
    });
  const last = () => requests.at(-1);
  const steps = {
    /** The request gets one run, and the queue has no other one. */
    nothing: () => last()?.answer({ runs: runs(1) }),
    /** The request gets fewer runs than it asked for, and the queue has more. */
    limit: () => last()?.answer({ runs: runs((last()?.wanted ?? 0) - 1), hasMore: true }),
    /** The request gets all it asked for, and the queue has more. */
    more: () => last()?.answer({ runs: runs(last()?.wanted ?? 0), hasMore: true }),
    fail: () => last()?.fail(Object.assign(new Error("no"), { code: "57P01" })),
    wake: () => admission.wake(),
    leave: () => running.shift()?.(),
    stop: () => void admission.stop(),
    retry: () => vi.advanceTimersByTimeAsync(500),
  };
  return { steps, asked: () => requests.length };
}
type Step = keyof ReturnType<typeof openQueue>["steps"];

/** What happens after the start, and whether the last of it sends a request: a request is sent at the start. */
const STORIES: [AdmissionState, Step[], "asks" | "waits"][] = [
  ["quiet", ["nothing", "leave"], "waits"],
  ["quiet", ["nothing", "wake"], "asks"],
  ["ready", ["more", "wake"], "waits"],
  ["ready", ["more", "leave"], "asks"],
  ["asking", ["nothing"], "waits"],
  ["asking", ["limit"], "waits"],
  ["asking", ["fail"], "waits"],
  ["asking_left", ["nothing", "wake", "leave", "nothing"], "waits"],
  ["asking_left", ["nothing", "wake", "leave", "nothing", "wake"], "asks"],
  ["asking_left", ["nothing", "wake", "leave", "limit"], "asks"],
  ["asking_left", ["nothing", "wake", "leave", "fail"], "waits"],
  ["asking_left", ["nothing", "wake", "leave", "fail", "wake"], "asks"],
  ["asking_woken", ["wake", "nothing"], "asks"],
  ["asking_woken", ["wake", "limit"], "asks"],
  ["asking_woken", ["nothing", "wake", "leave", "wake", "nothing"], "asks"],
  ["asking_woken", ["wake", "more", "leave"], "asks"],
  ["asking_woken", ["wake", "fail"], "waits"],
  ["asking_woken", ["wake", "fail", "wake"], "asks"],
  ["limited", ["limit", "wake"], "asks"],
  ["limited", ["limit", "leave"], "asks"],
  ["away", ["fail", "wake"], "asks"],
  ["away", ["fail", "retry"], "asks"],
  ["away", ["limit", "wake", "fail", "leave"], "asks"],
  ["stopped", ["nothing", "stop", "wake"], "waits"],
  ["stopped", ["more", "stop", "leave"], "waits"],
  ["stopped", ["stop", "wake", "nothing"], "waits"],
];

describe("the states of the admission", () => {
  test.each(STORIES)("%s, after %j: the worker %s", async (_state, steps, does) => {
    const queue = openQueue();
    let before = 0;
    for (const step of steps) {
      before = queue.asked();
      void queue.steps[step]();
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(queue.asked()).toBe(before + (does === "asks" ? 1 : 0));
  });

  test("the diagram in the glossary shows these transitions", () => {
    const drawn = readStates("docs/glossary.md", "### States of the admission").flatMap(({ from, to, events }) =>
      events.map((event) => `${from} --> ${to}: ${event}`),
    );
    // Each state but the last one can stop, which the text says.
    const rows = Object.entries(ADMISSION_TRANSITIONS).flatMap(([from, row]) =>
      Object.entries(row).map(([event, to]) => `${from} --> ${to}: ${event}`),
    );
    const stops = rows.filter((row) => row.endsWith(" --> stopped: stop"));
    expect(stops).toHaveLength(Object.keys(ADMISSION_TRANSITIONS).length - 1);
    expect(drawn.toSorted()).toEqual(rows.filter((row) => !stops.includes(row)).toSorted());
  });
});

const INTAKES: [string, Parameters<typeof findIntake>[0], ReturnType<typeof findIntake>][] = [
  ["has room", load({ room: 3 }), { kind: "any", wanted: 3 }],
  ["has no run and little memory", load({ held: 0, memory: "few" }), { kind: "any", wanted: 1 }],
  ["has no run and no memory", load({ held: 0, room: 0, memory: "none" }), { kind: "any", wanted: 1 }],
  ["has no memory for another run", load({ room: 3, memory: "none" }), { kind: "pause", ms: 100 }],
  ["executes as many as it may", load({ held: 9 }), { kind: "full" }],
  ["executes as many as it may, with little memory", load({ held: 9, memory: "few" }), { kind: "full" }],
  ["uses its processor", load({}), { kind: "newcomers", wanted: 2 }],
  ["uses its processor and has one slot", load({ held: 8 }), { kind: "newcomers", wanted: 1 }],
  ["has little memory", load({ room: 3, memory: "few" }), { kind: "newcomers", wanted: 1 }],
  ["has just looked for newcomers", load({ sinceNewcomersMs: 30 }), { kind: "pause", ms: 70 }],
];

function load(changes: Partial<Parameters<typeof findIntake>[0]>): Parameters<typeof findIntake>[0] {
  return { ceiling: 9, held: 5, room: 0, memory: "enough", sinceNewcomersMs: Number.POSITIVE_INFINITY, ...changes };
}

test.each(INTAKES)("a worker that %s: %j, %j", (_, given, intake) => {
  expect(findIntake(given)).toEqual(intake);
});
