/**
 * Builds an expression for a jsonb column with its keys in the order in which they were written. The json column next to
 * it, named `<column>_written`, knows that order. If it is missing or has other content, because a statement of another
 * release changed only the jsonb, the jsonb counts.
 */
export function asWrittenSql(column: string): string {
  return `case when ${column}_written::jsonb = ${column} then ${column}_written else ${column}::json end`;
}
