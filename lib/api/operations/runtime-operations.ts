import { getActionOperation, listActionsOperation } from "#lib/api/operations/actions";
import { runActionOperation } from "#lib/api/operations/calls/run-action";
import { runActionsOperation } from "#lib/api/operations/calls/run-actions";
import type { Operation } from "#lib/api/operations/define/define-operation";
import { approveRunOperation, cancelRunOperation } from "#lib/api/operations/runs/run-decisions";
import { getRunStatusOperation, listRunsOperation, waitForRunOperation } from "#lib/api/operations/runs/runs";

/**
 * The operations with which programs call actions and follow their runs. Those with `rest` are the paths of the runtime
 * API, so that a call over REST loads no other operation.
 */
export const RUNTIME_OPERATIONS = [
  listActionsOperation,
  getActionOperation,
  runActionOperation,
  runActionsOperation,
  getRunStatusOperation,
  waitForRunOperation,
  listRunsOperation,
  approveRunOperation,
  cancelRunOperation,
] as const satisfies readonly Operation[];
