import { LIMITS } from "#lib/contract/limits";
import { float8 } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const deleteIdle = defineStatement({
  name: "forget_idle_breakers",
  params: { windowSeconds: float8, forgottenSeconds: float8 },
  sql: `delete from circuit_breakers
        where case when state = 'closed'
          then not exists (select from unnest(failures) f where f > now() - make_interval(secs => $1))
          else greatest(retry_at, probe_started_at) < now() - make_interval(secs => $2) end`,
  isPrepared: false,
});

/**
 * Deletes the circuit breakers that no longer say anything: closed ones without a recent failure, and open ones that no
 * call asked for a long time. An address in a template can lead to any number of hosts, and each has a breaker once it
 * fails.
 */
export async function forgetIdleBreakers(): Promise<void> {
  const { breakerWindowMs, breakerForgottenMs } = LIMITS;
  await deleteIdle.run(db(), { windowSeconds: breakerWindowMs / 1_000, forgottenSeconds: breakerForgottenMs / 1_000 });
}
