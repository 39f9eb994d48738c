/**
 * Builds an expression for what a jsonb column takes as JSON. Only for a compressed value, PostgreSQL has to look into
 * it.
 */
export function jsonBytesSql(column: string): string {
  return `case when ${column} is null then 0 when pg_column_compression(${column}) is null then pg_column_size(${column})
    else octet_length(${column}::text) end`;
}
