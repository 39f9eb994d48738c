import { KEPT_MINUTES } from "#lib/domain/triggers/tests/event-test";
import { bigint, integer } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const BATCH = 500;

const forgetBatch = defineStatement({
  name: "forget_test_events",
  params: { keptMinutes: integer, limit: bigint },
  sql: `update webhook_tests set event_sealed = null where id in (
          select id from webhook_tests
          where event_sealed is not null and received_at < now() - make_interval(mins => $1)
          order by received_at limit $2 for update skip locked)`,
});

/** Deletes one batch of test events that were kept long enough (decisions, Inbound webhooks). */
export async function forgetTestEvents(): Promise<void> {
  await forgetBatch.run(db(), { keptMinutes: KEPT_MINUTES, limit: BATCH });
}
