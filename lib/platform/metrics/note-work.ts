import { shareInProcess } from "#lib/support/share-in-process";

/** A request or a run, as the log names it. */
export interface Work {
  workspaceId: string | null;
  /** The API key or the user that sent a request. */
  callerId?: string;
  /** The operation or the route that was called. */
  operation?: string;
  runId?: string;
}

/** That a piece of work started or continued on this process's main thread. */
export interface WorkNote {
  atMs: number;
  work: Work | null;
  /** The part of the work: the id of a step. */
  part: string | null;
}

/** A busy worker writes about 20 notes per millisecond, and the notes around a long gap are the recent ones. */
const NOTES_MAX = 256;

interface Notes {
  ring: WorkNote[];
  next: number;
  /** Called with the next note. */
  onNext: (() => void) | null;
}

const notes = shareInProcess(
  "work-notes",
  (): Notes => ({
    ring: Array.from({ length: NOTES_MAX }, () => ({ atMs: 0, work: null, part: null })),
    next: 0,
    onNext: null,
  }),
);

/** Calls back once, when the next work starts. */
export function onNextWork(callback: (() => void) | null): void {
  notes.onNext = callback;
}

/**
 * Notes that work starts or continues now. It costs about 50 ns: a slot of a ring is overwritten, nothing is created,
 * and no asynchronous context is tracked.
 */
export function noteWork(work: Work, part: string | null = null): void {
  const note = notes.ring[notes.next % NOTES_MAX];
  notes.next += 1;
  if (!note) return;
  note.atMs = performance.now();
  note.work = work;
  note.part = part;
  if (!notes.onNext) return;
  const { onNext } = notes;
  notes.onNext = null;
  onNext();
}

/** @param sinceMs on the clock of `performance.now()` */
export function hasWorkSince(sinceMs: number): boolean {
  const last = notes.ring[(notes.next - 1 + NOTES_MAX) % NOTES_MAX];
  return last !== undefined && last.atMs >= sinceMs;
}

/**
 * Finds the work that probably blocked the event loop until now: the note before the longest time without notes. What
 * blocks writes no notes, and what runs after the block writes its notes too late to be meant.
 * @param sinceMs when the event loop last took a turn, on the clock of `performance.now()`
 */
export function findBlockingWork(sinceMs: number, nowMs: number): WorkNote | null {
  const written = notes.ring.filter((note) => note.atMs > 0 && note.atMs <= nowMs);
  const inOrder = written.toSorted((a, b) => a.atMs - b.atMs);
  let suspect: WorkNote | null = null;
  let longestMs = 0;
  for (const [index, note] of inOrder.entries()) {
    const endMs = inOrder[index + 1]?.atMs ?? nowMs;
    const gapMs = endMs - Math.max(note.atMs, sinceMs);
    if (endMs <= sinceMs || gapMs <= longestMs) continue;
    suspect = note;
    longestMs = gapMs;
  }
  return suspect;
}
