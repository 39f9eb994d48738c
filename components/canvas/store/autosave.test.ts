import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Autosave, createAutosave, type SaveFailure, type SaveState } from "@/components/canvas/store/autosave";

describe("autosave", () => {
  let draft = "v0";
  let kept: string | null = null;
  let statuses: SaveState[] = [];
  let answers: ((result: number | SaveFailure) => void)[] = [];
  let sent: [string, number][] = [];
  let autosave: Autosave;

  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
    [draft, kept, statuses, answers, sent] = ["v0", null, [], [], []];
    autosave = createAutosave<string>(
      {
        read: () => draft,
        send: (value, revision) => {
          sent.push([value, revision]);
          return new Promise((resolve, reject) => {
            answers.push((result) => (typeof result === "number" ? resolve(result) : reject(result)));
          });
        },
        classify: (error) => error as SaveFailure,
        keep: (value) => {
          kept = value;
        },
        forget: () => {
          kept = null;
        },
        onStatus: (status) => statuses.push(status),
        now: () => Date.now(),
      },
      7,
    );
  });
  afterEach(() => {
    autosave.stop();
    vi.useRealTimers();
  });

  const edit = (value: string) => {
    draft = value;
    autosave.change();
  };
  const answer = async (result: number | SaveFailure) => {
    answers.shift()?.(result);
    await vi.advanceTimersByTimeAsync(0);
  };
  const status = () => statuses.at(-1)?.kind;

  it("waits for 800 ms without changes and sends the latest draft once, over its revision", async () => {
    edit("v1");
    await vi.advanceTimersByTimeAsync(700);
    edit("v2");
    await vi.advanceTimersByTimeAsync(700);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(sent).toEqual([["v2", 7]]);
    expect(status()).toBe("saving");
    await answer(8);
    expect(status()).toBe("saved");
    expect(autosave.revision()).toBe(8);
  });

  it("waits at most 5 s for a user who never stops typing", async () => {
    for (let at = 0; at < 5_000; at += 500) {
      edit(`v${at}`);
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(sent).toHaveLength(1);
  });

  it("has one save in flight and sends later changes after it, over the new revision", async () => {
    edit("v1");
    await vi.advanceTimersByTimeAsync(800);
    edit("v2");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent).toHaveLength(1);
    await answer(8);
    expect(status()).toBe("unsaved");
    await vi.advanceTimersByTimeAsync(800);
    expect(sent.at(-1)).toEqual(["v2", 8]);
  });

  it("flushes immediately, and again for changes typed during the save", async () => {
    edit("v1");
    const first = autosave.flush();
    edit("v2");
    const second = autosave.flush();
    await answer(8);
    await first;
    await answer(9);
    expect(await second).toBe(true);
    expect(sent).toEqual([
      ["v1", 7],
      ["v2", 8],
    ]);
  });

  it("keeps the draft in the browser while offline, retries, and deletes the copy once it is saved", async () => {
    edit("v1");
    await vi.advanceTimersByTimeAsync(800);
    await answer({ kind: "offline", message: "" });
    expect(status()).toBe("offline");
    expect(kept).toBe("v1");
    edit("v2");
    expect(kept).toBe("v2");
    expect(status()).toBe("offline");
    await vi.advanceTimersByTimeAsync(2_000);
    await answer(8);
    expect(status()).toBe("saved");
    expect(kept).toBeNull();
  });

  it("stops at a conflict: nothing is sent until the user decides", async () => {
    edit("mine");
    await vi.advanceTimersByTimeAsync(800);
    await answer({ kind: "conflict", message: "" });
    edit("mine too");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await autosave.flush()).toBe(false);
    expect(sent).toHaveLength(1);
    expect(kept).toBe("mine too");
  });

  it("keep mine: sends the draft over their revision", async () => {
    edit("mine");
    await vi.advanceTimersByTimeAsync(800);
    await answer({ kind: "conflict", message: "" });
    autosave.rebase(12, false);
    expect(sent.at(-1)).toEqual(["mine", 12]);
    await answer(13);
    expect(status()).toBe("saved");
  });

  it("take theirs: has nothing left to save", async () => {
    edit("mine");
    await vi.advanceTimersByTimeAsync(800);
    await answer({ kind: "conflict", message: "" });
    autosave.rebase(12, true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toHaveLength(1);
    expect(kept).toBeNull();
    expect(await autosave.flush()).toBe(true);
  });

  it("keeps unsaved changes in the browser when the page is closed, and nothing when all changes are saved", () => {
    autosave.keepLocally();
    expect(kept).toBeNull();
    edit("v1");
    autosave.keepLocally();
    expect(kept).toBe("v1");
  });
});
