import { findConnector } from "#lib/connectors/registry";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { ConnectorEvent, InboxDelivery, InboxVerdict } from "#lib/connectors/sdk/define-trigger";
import { ApiError } from "#lib/contract/error/api-error";
import { StepError } from "#lib/contract/run/step-error";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { acceptEvent } from "#lib/domain/triggers/deliveries/accept-event";
import { noteDelivery } from "#lib/domain/triggers/deliveries/note-delivery";
import { type Arrival, toTriggerEvent, wants } from "#lib/domain/triggers/listeners/connector-event";
import { findListened, type Listened } from "#lib/domain/triggers/listeners/find-listened";
import { LISTENER_COLUMNS, LISTENER_ROW, type Listener, toListener } from "#lib/domain/triggers/listeners/listener";
import { openService } from "#lib/domain/triggers/listeners/open-service";
import { connectorWebhookUrl } from "#lib/domain/triggers/webhooks/connector-webhook-url";
import { uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { noteOnSpan, requestTraceparent } from "#lib/platform/telemetry/telemetry";
import type { NoteLongNumber } from "#lib/support/exact-json";
import { UUID_PATTERN } from "#lib/support/ids";

/** A trigger that changes during every attempt is being republished in a loop. */
const ATTEMPTS = 3;
const RETRY_AFTER_SECONDS = 1;

const findCalled = defineStatement({
  name: "find_listener",
  params: { id: uuid },
  row: LISTENER_ROW,
  sql: `with called as (
          update connector_listeners set last_at = clock_timestamp()
          where id = $1 and status <> 'off' and coalesce(last_at < clock_timestamp() - interval '1 minute', true))
        select ${LISTENER_COLUMNS} from connector_listeners l
        join connections c on c.workspace_id = l.workspace_id and c.id = l.connection_id
        where l.id = $1 and l.status <> 'off' and l.subscription_id is null`,
});

interface ReceiveOptions {
  /** The client that attaches credentials, for services that send only ids. */
  send: SendRequest;
  /** Called once the delivery has proved to be genuine. */
  admit: () => void;
}

/**
 * Receives one delivery of a service (decisions, Connector events). Checks that its address is known and that it is
 * genuine, then starts a run for each event and each trigger that asked for it. Each event is committed separately, and
 * a repeated delivery is recognized.
 * @throws ApiError NOT_FOUND, INVALID_SIGNATURE, SERVICE_UNAVAILABLE; what `admit` throws
 */
export async function receiveConnectorEvent(
  listenerId: string,
  delivery: InboxDelivery,
  { send, admit }: ReceiveOptions,
): Promise<{ accepted: number; duplicates: number }> {
  const listener = await getListener(listenerId);
  const inbox = findConnector(listener.connector)?.inbox?.webhook;
  if (!inbox) throw unknownListener();
  const listened = await findListened(db(), listener);
  const { secret, state } = listener;
  const longNumbers = new Set<string>();
  const onLongNumber: NoteLongNumber = (_path, digits) => longNumbers.add(digits);
  const verdict = inbox.receive(
    { ...delivery, onLongNumber },
    { url: connectorWebhookUrl(listener.id), secret, state },
  );
  if (!verdict.isGenuine) throw await refusal(verdict, delivery, listened);
  admit();
  noteOnSpan({ "signalbox.workspace.id": listener.workspaceId });
  const counts = { accepted: 0, duplicates: 0 };
  for (const given of verdict.events) {
    const asking = listened.filter(({ event }) => event === given.event);
    if (asking.length === 0) continue;
    const opened = () => openService(listener, send, onLongNumber);
    const event = inbox.complete ? await complete(opened, inbox.complete, given) : given;
    for (const item of asking) await accept(listener, item, event, { ...delivery, longNumbers }, counts);
  }
  return counts;
}

/** Also while the listener is pending: a service may call before it has answered the subscription. */
async function getListener(id: string): Promise<Listener> {
  const row = UUID_PATTERN.test(id) ? await findCalled.first(db(), { id }) : null;
  if (!row) throw unknownListener();
  return toListener(row);
}

async function refusal(
  { reason }: Extract<InboxVerdict, { isGenuine: false }>,
  { body }: InboxDelivery,
  listened: readonly Listened[],
): Promise<ApiError> {
  for (const { subscription } of listened) {
    await noteDelivery(subscription, "invalid_signature", { bytes: body.byteLength, detail: reason });
  }
  return new ApiError("INVALID_SIGNATURE", "The delivery does not prove that it comes from the service.");
}

/** If the service cannot be asked now, it must send the delivery again. */
async function complete(
  open: () => Promise<ServiceContext>,
  completeEvent: (service: ServiceContext, event: ConnectorEvent) => Promise<ConnectorEvent>,
  event: ConnectorEvent,
): Promise<ConnectorEvent> {
  try {
    return await completeEvent(await open(), event);
  } catch (cause) {
    if (!(cause instanceof StepError)) throw cause;
    const message = "The event's details could not be loaded from the service. Send it again.";
    throw new ApiError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
  }
}

async function accept(
  listener: Listener,
  first: Listened,
  event: ConnectorEvent,
  { headers, ...arrival }: Pick<InboxDelivery, "headers"> & Arrival,
  counts: { accepted: number; duplicates: number },
): Promise<void> {
  let item: Listened | undefined = first;
  const traceparent = requestTraceparent(headers);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (!item || !wants(item, listener.connector, event)) return;
    const { outcome } = await acceptEvent({ ...toTriggerEvent(listener, item, event, arrival), traceparent });
    if (outcome === "accepted") counts.accepted += 1;
    if (outcome === "duplicate") counts.duplicates += 1;
    if (outcome !== "stale") return;
    const { id } = first.subscription;
    item = (await findListened(db(), listener)).find(({ subscription }) => subscription.id === id);
  }
  throw new ApiError("concurrent_change", "The workflow is being changed. Send it again.", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function unknownListener(): ApiError {
  return new ApiError("NOT_FOUND", "There is no such listener.");
}
