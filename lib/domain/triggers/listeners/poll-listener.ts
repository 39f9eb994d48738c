import { findConnector, findTrigger } from "#lib/connectors/registry";
import type { Polled, TriggerPoll } from "#lib/connectors/sdk/define-trigger";
import { ApiError } from "#lib/contract/error/api-error";
import { classifyError } from "#lib/core/engine/classify-error";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { announceRuns, createRuns } from "#lib/domain/runs/create/create-runs";
import { announceFailed, runOfEvent } from "#lib/domain/triggers/deliveries/accept-event";
import { type Arrival, toTriggerEvent, wants } from "#lib/domain/triggers/listeners/connector-event";
import { findListened, type Listened } from "#lib/domain/triggers/listeners/find-listened";
import { finishTurn, retryMs } from "#lib/domain/triggers/listeners/finish-turn";
import type { ClaimedListener } from "#lib/domain/triggers/listeners/listener";
import { openService } from "#lib/domain/triggers/listeners/open-service";
import { db, transaction } from "#lib/platform/db/pool";

const AGAIN_MS = 500;

/** The cursor and the runs for the events it passed are written together, or not at all. */
class TurnLost extends Error {
  override readonly name = "TurnLost";
}

/**
 * Asks a service for the events since the last poll. Writes events and cursor in one transaction.
 * @returns whether more events wait
 */
export async function pollListener(listener: ClaimedListener, send: SendRequest): Promise<boolean> {
  const listened = await findListened(db(), listener);
  if (listened.length === 0) {
    await finishTurn(listener, { status: "off", events: [], cursor: null, error: null, nextMs: null });
    return false;
  }
  try {
    const { everySeconds, list } = pollOf(listener, listened);
    const longNumbers = new Set<string>();
    const polled = await list(await openService(listener, send, (_path, digits) => longNumbers.add(digits)));
    const isMore = polled.isMore ?? false;
    await accept(listener, listened, { ...polled, longNumbers }, isMore ? 0 : everySeconds * 1_000);
    return isMore;
  } catch (thrown) {
    if (thrown instanceof TurnLost) {
      await finishTurn(listener, { status: listener.status, error: null, nextMs: AGAIN_MS });
      return false;
    }
    const error = classifyError(thrown);
    await finishTurn(listener, { status: "failed", error: error.message, nextMs: retryMs(listener.failures) });
    return false;
  }
}

type List = (service: Parameters<TriggerPoll["list"]>[0]) => Promise<Polled>;

function pollOf(listener: ClaimedListener, listened: readonly Listened[]): { everySeconds: number; list: List } {
  const { connector, cursor } = listener;
  const [own] = listened;
  const poll = listener.subscriptionId === null || !own ? undefined : findTrigger(connector, own.event)?.poll;
  if (poll && own) {
    return { everySeconds: poll.everySeconds, list: (service) => poll.list(service, { cursor, params: own.params }) };
  }
  const shared = findConnector(connector)?.inbox?.poll;
  if (!shared) throw new Error(`${connector} cannot be polled`);
  const events = [...new Set(listened.map(({ event }) => event))].sort();
  return { everySeconds: shared.everySeconds, list: (service) => shared.list(service, { cursor, events }) };
}

async function accept(
  listener: ClaimedListener,
  listened: readonly Listened[],
  { events, cursor, longNumbers }: Polled & Pick<Arrival, "longNumbers">,
  nextMs: number,
): Promise<void> {
  const arrival = { receivedAt: new Date(), longNumbers };
  const runs = events.flatMap((event) =>
    listened
      .filter((item) => wants(item, listener.connector, event))
      .map((item) => runOfEvent(toTriggerEvent(listener, item, event, arrival))),
  );
  const made = await transaction(async (tx) => {
    const created = await createRuns(runs, tx);
    // A trigger was published, paused or moved to another plan meanwhile, so the same events are polled again.
    if (created.some((one) => one instanceof ApiError || one.outcome === "stale")) {
      throw new TurnLost("a trigger was changed, or one of the events is being accepted, while it was polled");
    }
    const isOurs = await finishTurn(listener, { status: "active", cursor, error: null, nextMs }, tx);
    if (!isOurs) throw new TurnLost("another worker has the listener");
    return created;
  });
  await announceRuns(listener.workspaceId, made);
  await announceFailed(listener.workspaceId, made);
}
