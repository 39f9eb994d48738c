/**
 * Builds the SQL condition that a row of `api_keys` is active (contract, API keys): neither revoked nor expired at this
 * moment. `now()` would be the start of the transaction, and a key may expire while the transaction waits for a lock.
 * It is defined here because members are listed with their number of keys, and this room must not import the keys.
 * @param key the alias of the table
 */
export function isActiveKey(key: string): string {
  return `(${key}.is_active and (${key}.expires_at is null or ${key}.expires_at > clock_timestamp()))`;
}
