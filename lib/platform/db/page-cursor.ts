import { createHash } from "node:crypto";
import { ApiError } from "#lib/contract/error/api-error";
import type { Page } from "#lib/contract/wire/page";
import { UUID_PATTERN } from "#lib/support/ids";

/** The end of a page: the keyset of its last row. */
export interface Keyset {
  createdAt: Date;
  id: string;
}

/** Identifies the list: workspace, filters and order. Every other list refuses a cursor of this one. */
export type ListFilters = Record<string, unknown>;

const CURSOR_PATTERN = /^([0-9a-z]{1,12})\.([0-9a-f-]{36})\.([A-Za-z0-9_-]{11})$/;

/** Opaque to callers (decisions, Lists): creation time, id, and the list they belong to. */
export function encodeCursor(last: Keyset, filters: ListFilters): string {
  const text = `${last.createdAt.getTime().toString(36)}.${last.id}.${fingerprint(filters)}`;
  return Buffer.from(text).toString("base64url");
}

/** @throws ApiError BAD_REQUEST for an invalid cursor, or one of a list with other filters */
export function decodeCursor(cursor: string, filters: ListFilters): Keyset {
  const [, time = "", id = "", print] = CURSOR_PATTERN.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  const createdAt = new Date(Number.parseInt(time, 36));
  if (!UUID_PATTERN.test(id) || Number.isNaN(createdAt.getTime()) || print !== fingerprint(filters)) {
    throw new ApiError("BAD_REQUEST", "cursor: not a cursor of this list with these filters");
  }
  return { createdAt, id };
}

/** Removes the extra row that shows whether there is another page. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  filters: ListFilters,
  keysetOf: (row: Row) => Keyset,
  present: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    data: shown.map(present),
    has_more: hasMore,
    next_cursor: hasMore ? encodeCursor(keysetOf(last), filters) : null,
  };
}

function fingerprint(filters: ListFilters): string {
  const entries = Object.entries(filters).filter(([, value]) => value !== undefined && value !== null);
  const text = JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash("sha256").update(text).digest("base64url").slice(0, 11);
}
