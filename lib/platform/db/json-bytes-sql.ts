/** PostgreSQL compresses no row that is smaller. */
const UNCOMPRESSED_BYTES = 2_000;

/**
 * Builds an expression for what a json or jsonb column takes as JSON. Only for a value that may have been compressed, PostgreSQL has
 * to look into it. A large value has the same size however it is stored.
 */
export function jsonBytesSql(column: string): string {
  return `case when ${column} is null then 0
    when pg_column_compression(${column}) is null and pg_column_size(${column}) <= ${UNCOMPRESSED_BYTES} then pg_column_size(${column})
    else octet_length(${column}::text) end`;
}
