import { ApiError } from "#lib/contract/error/api-error";
import type { RunChange } from "#lib/contract/wire/web";

/**
 * Does the work for one run after the other and reports each outcome: a refusal does not stop the others. Runs are not
 * handled in parallel, because each is a transaction of its own and a hundred at once would take every connection.
 */
export async function reportEach(
  runIds: readonly string[],
  work: (runId: string) => Promise<Pick<RunChange, "outcome" | "new_run_id">>,
): Promise<RunChange[]> {
  const changes: RunChange[] = [];
  for (const runId of new Set(runIds)) {
    try {
      changes.push({ run_id: runId, ...(await work(runId)), code: null, error: null });
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      const { code, message } = thrown;
      changes.push({ run_id: runId, outcome: "refused", new_run_id: null, code, error: message });
    }
  }
  return changes;
}
