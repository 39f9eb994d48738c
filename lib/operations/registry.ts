import type { Operation } from "#lib/operations/define-operation";
import { getSessionOperation } from "#lib/operations/session";

/** Everything a caller can ask for. Each surface shows the part of it that is its own. */
export const OPERATIONS: readonly Operation[] = [getSessionOperation];
