import type { Page } from "#lib/contract/wire/page";

/** Returns a page of a list. With a cursor, the list has more pages. */
export function pageOf<T>(data: T[], nextCursor: string | null = null): Page<T> {
  return { data, has_more: nextCursor !== null, next_cursor: nextCursor };
}

/** Returns the nth id of a test. */
export function idOf(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

const SECOND_MS = 1_000;

/** Returns the time that many seconds ago, in the wire format. A negative number is in the future. */
export function secondsAgo(seconds: number): string {
  return new Date(Date.now() - seconds * SECOND_MS).toISOString();
}
