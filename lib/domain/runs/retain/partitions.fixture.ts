/** For tests: SQL that creates the missing partitions of a time range, and moves rows of the default partitions there. */
export function createPartitionsSql(from: string, to = "now()"): string {
  return `select create_partition(parent, part, starts, ends, null) from missing_partitions(${from}, ${to})`;
}
