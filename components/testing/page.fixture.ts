import type { Page } from "#lib/contract/page";

/** A page of a list; with a cursor, there are more. */
export function pageOf<T>(data: T[], nextCursor: string | null = null): Page<T> {
  return { data, has_more: nextCursor !== null, next_cursor: nextCursor };
}

/** The nth id of a test. */
export function idOf(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

const SECOND_MS = 1_000;

/** A moment that many seconds ago, as the wire has it; a negative number is in the future. */
export function secondsAgo(seconds: number): string {
  return new Date(Date.now() - seconds * SECOND_MS).toISOString();
}
