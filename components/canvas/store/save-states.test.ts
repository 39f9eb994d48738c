import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readStates } from "#lib/support/read-states.fixture";
import {
  createAutosave,
  SAVE_TRANSITIONS,
  type SaveEvent,
  type SaveFailure,
  type SaveState,
} from "@/components/canvas/store/autosave";

type Kind = SaveState["kind"];

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

function openSaver() {
  let state: Kind = "saved";
  let answer: (result: number | SaveFailure) => void = () => {};
  const autosave = createAutosave<string>(
    {
      read: () => "draft",
      send: () =>
        new Promise((resolve, reject) => {
          answer = (result) => (typeof result === "number" ? resolve(result) : reject(result));
        }),
      classify: (error) => error as SaveFailure,
      keep: () => {},
      forget: () => {},
      onStatus: ({ kind }) => {
        state = kind;
      },
      now: () => Date.now(),
    },
    7,
  );
  const answerWith = async (result: number | SaveFailure) => {
    answer(result);
    await vi.advanceTimersByTimeAsync(0);
  };
  const fail = (kind: SaveFailure["kind"]) => () => answerWith({ kind, message: "" });
  const events: Record<SaveEvent, () => unknown> = {
    change: () => autosave.change(),
    // Only the decision to keep the user's own work sends a draft that is in conflict.
    send: () => (state === "conflict" ? autosave.rebase(12, false) : autosave.flush()),
    stored: () => answerWith(8),
    overtaken: () => {
      autosave.change();
      return answerWith(8);
    },
    offline: fail("offline"),
    failed: fail("failed"),
    conflict: fail("conflict"),
    adopt: () => autosave.rebase(12, true),
  };
  return {
    autosave,
    state: () => state,
    happen: async (event: SaveEvent) => {
      // A flush waits for its answer.
      void events[event]();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

/** How each state is entered. */
const ENTER: Record<Kind, readonly SaveEvent[]> = {
  saved: [],
  unsaved: ["change"],
  saving: ["change", "send"],
  offline: ["change", "send", "offline"],
  failed: ["change", "send", "failed"],
  conflict: ["change", "send", "conflict"],
};
const KINDS = Object.keys(SAVE_TRANSITIONS) as Kind[];
const rowsOf = (from: Kind) => Object.entries(SAVE_TRANSITIONS[from]) as [SaveEvent, Kind][];

describe("the states of a save", () => {
  test.each(KINDS.flatMap((from) => rowsOf(from).map(([event, to]) => [from, event, to] as const)))(
    "%s, %s: %s",
    async (from, event, to) => {
      const { autosave, state, happen } = openSaver();
      for (const step of ENTER[from]) await happen(step);
      expect(state()).toBe(from);
      await happen(event);
      expect(state()).toBe(to);
      autosave.stop();
    },
  );

  test("the diagram in the README shows these transitions", () => {
    const drawn = readStates("components/canvas/store/README.md", "### Save");
    const rows = KINDS.flatMap((from) => rowsOf(from).map(([event, to]) => `${from} --> ${to}: ${event}`));
    // What leaves the state as it is is not drawn.
    const changes = rows.filter((row) => !/^(\w+) --> \1:/.test(row));
    expect(
      drawn.flatMap(({ from, to, events }) => events.map((event) => `${from} --> ${to}: ${event}`)).toSorted(),
    ).toEqual(changes.toSorted());
  });
});
