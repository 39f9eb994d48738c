/**
 * Writes constants as a list for `in`: ('accepted', 'running'). For the sets of the contract, when a statement is
 * declared: with the values in its text PostgreSQL can use a partial index on them.
 * @throws Error for anything but plain words
 */
export function sqlSet(values: readonly string[]): string {
  const odd = values.find((value) => !/^[a-z_]+$/.test(value));
  if (odd !== undefined || values.length === 0) throw new Error(`not a set of plain words: ${values.join()}`);
  return `(${values.map((value) => `'${value}'`).join(", ")})`;
}
