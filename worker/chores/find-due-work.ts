import { IS_DELIVERY_WAITING } from "#lib/domain/outbound-events/deliveries/claim-deliveries";
import { IS_EXPIRY_DUE } from "#lib/domain/runs/decide/expire-approvals";
import { IS_SWEEP_DUE } from "#lib/domain/runs/recover/sweep-workers";
import { IS_FAILURE_WAITING } from "#lib/domain/triggers/failures/start-failure-runs";
import { IS_LISTENER_DUE } from "#lib/domain/triggers/listeners/tend-listeners";
import { IS_SCHEDULE_DUE_SOON } from "#lib/domain/triggers/schedules/fire-due-schedules";
import { boolean, type RowOf } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { IS_JOB_DUE, IS_RUN_DUE } from "#lib/platform/jobs/queue-states";

const DUE_WORK = {
  sweep: boolean,
  expiry: boolean,
  schedule: boolean,
  listener: boolean,
  delivery: boolean,
  failure: boolean,
  run: boolean,
  job: boolean,
};
type DueWork = RowOf<typeof DUE_WORK>;

const lookForDueWork = defineStatement({
  name: "look_for_due_work",
  row: DUE_WORK,
  // Each is one step into an index. The statements that do the work decide what is really due.
  sql: `select ${IS_SWEEP_DUE} as sweep, ${IS_EXPIRY_DUE} as expiry, ${IS_SCHEDULE_DUE_SOON} as schedule,
          ${IS_LISTENER_DUE} as listener, ${IS_DELIVERY_WAITING} as delivery,
          ${IS_FAILURE_WAITING} as failure, ${IS_RUN_DUE} as run, ${IS_JOB_DUE} as job`,
});

/** Looks for everything that a worker must not miss, in one round trip. */
export function findDueWork(): Promise<DueWork> {
  return lookForDueWork.one(db());
}
