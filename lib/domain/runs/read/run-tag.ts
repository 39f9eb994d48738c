/**
 * Builds the SQL of a short text that changes whenever the answer about a run does: with the run's row, with the last
 * entry of its journal, and with its approvals. The row and the approvals count with the transaction that wrote them
 * last. It is hashed, because transactions and entries are numbered across workspaces. The entries that are packed with the
 * run's end have one number: to find the last of them would mean to read all of them.
 * @param run the alias of `runs`
 * @param packed the alias of the run's row of `journal_ends`, or of nulls
 */
export function runTagSql(run: string, packed: string): string {
  return `to_hex(hashtextextended(concat_ws(' ', ${run}.xmin,
    (select max(e.seq) from execution_events e where e.run_id = ${run}.id),
    ${packed}.seq,
    (select string_agg(a.xmin::text, ' ' order by a.id) from approvals a where a.run_id = ${run}.id)), 0))`;
}

/** Returns the tag as an entity tag. It is weak: the same run may be written differently after an upgrade. */
export function entityTag(tag: string): string {
  return `W/"${tag}"`;
}

/**
 * Builds the SQL condition that a list of entity tags contains a tag.
 * @param known an expression for the list as `If-None-Match` has it, or null
 */
export function isKnownSql(tag: string, known: string): string {
  return `coalesce(position('"' || ${tag} || '"' in ${known}) > 0 or ${known} = '*', false)`;
}
