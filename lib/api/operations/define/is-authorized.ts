import type { Caller } from "#lib/api/operations/define/caller";
import { missingScope, type Operation } from "#lib/api/operations/define/define-operation";
import { hasRole } from "#lib/contract/workspace/roles";

/**
 * Whether the caller has the scope or the role. Lists use it to leave out items the caller may not read. Each call of an
 * MCP tool asks for every tool, so no error is made only to be caught.
 */
export function isAuthorized(operation: Pick<Operation, "scope" | "role">, caller: Caller): boolean {
  return caller.kind === "user" ? hasRole(caller.role, operation.role) : missingScope(operation, caller) === undefined;
}
