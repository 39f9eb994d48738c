import { StepError } from "#lib/contract/run/step-error";
import { admitCall, afterFailure, afterSuccess, type Breaker, CLOSED_BREAKER } from "#lib/core/engine/circuit-breaker";
import type { BreakerPass, BreakerPort, Destination } from "#lib/core/engine/ports";
import { type Mask, NO_MASK } from "#lib/core/redaction/mask-texts";
import { sanitize } from "#lib/core/redaction/sanitize";
import { log } from "#lib/platform/config/log";
import { array, boolean, enumOf, float8, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db, transaction } from "#lib/platform/db/pool";
import { count } from "#lib/platform/metrics/counters";
import { storableText } from "#lib/support/json";

/** How much of a failure's message is shown to users who ask why calls are paused. */
const LAST_ERROR_CHARACTERS = 300;

const STATES = ["closed", "open", "half_open"] as const satisfies Breaker["state"][];

const KEY = {
  workspaceId: uuid,
  connector: text,
  isTest: boolean,
  origin: nullable(text),
  connectionId: nullable(uuid),
};
const IS_KEY = `workspace_id = $1 and connector = $2 and is_test = $3 and origin is not distinct from $4
          and connection_id is not distinct from $5`;
/** No host name is longer, so calls to an origin that is fail before they connect. */
const ORIGIN_CHARACTERS = 300;

/** The key of a breaker. */
interface BreakerKey extends Destination {
  workspaceId: string;
  isTest: boolean;
}

function defineRead(name: string, lock: "" | "for update") {
  return defineStatement({
    name,
    params: KEY,
    row: {
      state: enumOf(STATES),
      failures: array(float8),
      opened_at: nullable(float8),
      retry_at: nullable(float8),
      probe_started_at: nullable(float8),
      last_error: nullable(text),
      now: float8,
    },
    sql: `select state, array(select (extract(epoch from f) * 1000)::float8 from unnest(failures) f) as failures,
            (extract(epoch from opened_at) * 1000)::float8 as opened_at,
            (extract(epoch from retry_at) * 1000)::float8 as retry_at,
            (extract(epoch from probe_started_at) * 1000)::float8 as probe_started_at,
            last_error, (extract(epoch from clock_timestamp()) * 1000)::float8 as now
          from circuit_breakers where ${IS_KEY} ${lock}`,
  });
}

const readBreaker = defineRead("read_breaker", "");
const lockBreaker = defineRead("lock_breaker", "for update");

const ensureBreaker = defineStatement({
  name: "ensure_breaker",
  params: KEY,
  sql: `insert into circuit_breakers (workspace_id, connector, is_test, origin, connection_id) values ($1, $2, $3, $4, $5)
        on conflict do nothing`,
});

const writeBreaker = defineStatement({
  name: "write_breaker",
  params: {
    ...KEY,
    state: enumOf(STATES),
    failures: array(float8),
    openedAt: nullable(float8),
    retryAt: nullable(float8),
    probeStartedAt: nullable(float8),
    lastError: nullable(text),
  },
  sql: `update circuit_breakers set state = $6, failures = array(select to_timestamp(f / 1000) from unnest($7::float8[]) f),
          opened_at = to_timestamp($8::float8 / 1000), retry_at = to_timestamp($9::float8 / 1000),
          probe_started_at = to_timestamp($10::float8 / 1000), last_error = $11
        where ${IS_KEY}`,
});

/**
 * The circuit breakers of one workspace, shared by all workers through PostgreSQL. A closed breaker costs one lookup by
 * key; only failures and the probe of an open breaker write it. When the breaker itself fails, calls go through: it
 * protects others and must not fail a step.
 * @param owner tests of drafts have breakers of their own, so that trying a step out never stops a published workflow
 * @param mask hides the secrets of the definition in the last failure
 */
export function postgresBreaker(owner: { workspaceId: string; isTest: boolean }, mask: Mask = NO_MASK): BreakerPort {
  const keyOf = ({ connector, connectionId, origin }: Destination): BreakerKey => {
    const isPossible = origin !== null && origin.length <= ORIGIN_CHARACTERS;
    return { ...owner, connector, connectionId, origin: isPossible ? origin : null };
  };
  return {
    admit: async (destination) => {
      try {
        return await admit(keyOf(destination));
      } catch (error) {
        if (error instanceof StepError) throw error;
        log.warn({ err: error, connector: destination.connector }, "the circuit breaker could not be read");
        return { isProbe: false };
      }
    },
    report: async (destination, pass, error) => {
      if (error === null && !pass.isProbe) return;
      if (error !== null && !owner.isTest) {
        count("signalbox_connector_failures_total", { connector: destination.connector, code: error.code });
      }
      try {
        await change(keyOf(destination), (breaker, now) => ({
          next: error ? afterFailure(breaker, pass.isProbe, now) : afterSuccess(breaker, pass.isProbe),
          result: null,
          ...(error ? { lastError: storableText(sanitize(mask(error.message))).slice(0, LAST_ERROR_CHARACTERS) } : {}),
        }));
      } catch (cause) {
        log.warn({ err: cause, connector: destination.connector }, "the circuit breaker could not be written");
      }
    },
  };
}

/** Lookups in this turn of the event loop, by breaker: a burst of runs asks once. */
const looks = new Map<string, ReturnType<typeof read>>();

function look(key: BreakerKey): ReturnType<typeof read> {
  const { workspaceId, connector, isTest, origin, connectionId } = key;
  const name = [workspaceId, connector, isTest, connectionId, origin].join("|");
  const known = looks.get(name);
  if (known !== undefined) return known;
  const reading = read(readBreaker, db(), key);
  looks.set(name, reading);
  setImmediate(() => looks.delete(name));
  return reading;
}

async function admit(key: BreakerKey): Promise<BreakerPass> {
  const current = await look(key);
  if (!current || current.breaker.state === "closed") return { isProbe: false };
  const { lastError } = current;
  const admission = await change(key, (breaker, now) => {
    const result = admitCall(breaker, now);
    return { next: result.kind === "probe" ? result.next : breaker, result };
  });
  if (admission.kind !== "refused") return { isProbe: admission.kind === "probe" };
  const why = lastError === null ? "" : `. Its last failure: ${lastError}`;
  throw new StepError(
    "circuit_open",
    `circuit open: ${describe(key)} failed too often, calls wait for it to recover${why}`,
    { retryAfterMs: Math.ceil(admission.retryAfterMs) },
  );
}

function describe({ connector, origin }: BreakerKey): string {
  return origin === null ? connector : `${connector} at ${origin}`;
}

/** Applies a rule to the breaker while its row is locked, and stores the result. */
async function change<T>(
  key: BreakerKey,
  rule: (breaker: Breaker, now: number) => { next: Breaker; result: T; lastError?: string },
): Promise<T> {
  return transaction(async (tx) => {
    await ensureBreaker.run(tx, key);
    const current = await read(lockBreaker, tx, key);
    const { breaker, now } = current ?? { breaker: CLOSED_BREAKER, now: Date.now() };
    const { next, result, lastError = current?.lastError ?? null } = rule(breaker, now);
    if (next !== breaker) await writeBreaker.run(tx, { ...key, ...next, lastError });
    return result;
  });
}

async function read(
  statement: typeof readBreaker,
  on: Db,
  key: BreakerKey,
): Promise<{ breaker: Breaker; lastError: string | null; now: number } | null> {
  const row = await statement.first(on, key);
  if (!row) return null;
  const { state, failures, opened_at: openedAt, retry_at: retryAt, probe_started_at: probeStartedAt, now } = row;
  return { breaker: { state, failures, openedAt, retryAt, probeStartedAt }, lastError: row.last_error, now };
}
