import type { Caller } from "#lib/api/operations/define/caller";
import { authorize, type Operation } from "#lib/api/operations/define/define-operation";

/** Whether the caller has the scope or the role. Lists use it to leave out items the caller may not read. */
export function isAuthorized(operation: Pick<Operation, "scope" | "role">, caller: Caller): boolean {
  try {
    authorize(operation, caller);
    return true;
  } catch {
    return false;
  }
}
