import { isTransientDatabaseError } from "#lib/platform/db/classify-database-error";

/**
 * Does a step's work in the database. When the database stays away, the run is aborted, so that this worker releases
 * it: as an error of the step it would fail a run whose workflow is not at fault.
 */
export async function abortOnLostDatabase<T>(abort: AbortController, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isTransientDatabaseError(error)) abort.abort(error);
    throw error;
  }
}
