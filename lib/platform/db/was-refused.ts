import pg from "pg";

/** Whether PostgreSQL itself refused the statement: it answered, and nothing of the statement was done. */
export function wasRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError;
}
