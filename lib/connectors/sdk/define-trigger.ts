import type { z } from "zod";
import type { ConnectionValues, ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { NoteLongNumber } from "#lib/support/exact-json";

/** An event at a service. */
export interface ConnectorEvent {
  /** The trigger's identifier. */
  event: string;
  /** Identifies the event for deduplication: unique per connection, event and occurrence. */
  id: string;
  /** The time that the service reports; null if it reports none. */
  occurredAt: Date | null;
  /** The workflow's `trigger.output.data`. */
  data: JsonObject;
}

/** A trigger of a connector (contract, Triggers). */
export interface TriggerDefinition {
  title: string;
  description: string;
  /** Words for the event that do not appear in its title or description. */
  keywords?: string;
  /** The vendor's documentation of the event. */
  docs: string;
  /** The schema of the trigger node's `params`: an object with titled properties. Missing if there are none. */
  params?: z.ZodObject;
  /** The schema of `data`, as far as it is guaranteed. */
  data: z.ZodType;
  /** Example `data` for testing a workflow before the first event. */
  example: JsonObject;
  /** Returns whether an event matches `params`. Missing if every event does. */
  matches?(data: JsonObject, params: JsonObject): boolean;
  /** Present if the trigger polls for itself. Otherwise the connector's inbox delivers its events. */
  poll?: TriggerPoll;
}

export interface Polled {
  /** Events in the order in which they happened. */
  events: ConnectorEvent[];
  /** The position from which the next poll continues. */
  cursor: JsonObject;
  /** True if more events are already waiting. */
  isMore?: boolean;
}

/** Polls a service for one trigger's events. */
export interface TriggerPoll {
  everySeconds: number;
  /**
   * Lists the events after the cursor. The cursor is written together with the events' runs, so each event is delivered
   * once; an id that is repeated within a week is recognized anyway.
   * @param cursor null at activation: return the starting position without events, because earlier events start nothing
   * @throws StepError, which is shown, and the poll is retried later
   */
  list(context: ServiceContext, request: { cursor: JsonObject | null; params: JsonObject }): Promise<Polled>;
}

/** Polls a service for the events of all of a connection's triggers at once. */
export interface InboxPoll {
  everySeconds: number;
  /** See TriggerPoll. */
  list(context: ServiceContext, request: { cursor: JsonObject | null; events: readonly string[] }): Promise<Polled>;
}

/** What Signalbox knows about a subscription at the service. */
export interface InboxSubscription {
  /** The URL that the service must call. */
  url: string;
  /** 64 characters of a-z and 0-9, generated for this connection. The service can use it to prove its identity. */
  secret: string;
  /** The last result of `subscribe`. */
  state: JsonObject | null;
}

/** A request from the service to our URL. */
export interface InboxDelivery {
  headers: Headers;
  /** The raw body, which is what the service signs. */
  body: Buffer;
  /** The query of the URL, including what `subscribe` appended to it. */
  query: URLSearchParams;
  receivedAt: Date;
  /** Notes each number of the body that becomes a text, because it would lose digits. */
  onLongNumber?: NoteLongNumber;
}

export type InboxVerdict =
  | { isGenuine: true; events: ConnectorEvent[] }
  /** `reason` is for the delivery log. */
  | { isGenuine: false; reason: string };

/** How a service delivers the events of a connection: by webhook, by polling, or either. */
export interface InboxDefinition {
  webhook?: {
    /**
     * Returns whether the service can call webhooks for a connection with these settings. If it cannot, Signalbox
     * polls. Missing if it always can.
     */
    isPossible?(settings: ConnectionValues): boolean;
    /**
     * Subscribes the URL to exactly these events. Called whenever the set of events changes, and may be repeated: it
     * replaces the previous subscription.
     * @returns what unsubscribe and receive need: ids, never secrets
     * @throws StepError, which is shown, and the call is retried later
     */
    subscribe(
      context: ServiceContext,
      request: InboxSubscription & {
        events: readonly string[];
        /**
         * True if the service was not subscribed before: what it still keeps happened before the activation. False after
         * a pause.
         */
        isFirst: boolean;
      },
    ): Promise<JsonObject | null>;
    /** Ends the subscription. A subscription that no longer exists is not an error. */
    unsubscribe(context: ServiceContext, subscription: InboxSubscription): Promise<void>;
    /**
     * Verifies that a delivery comes from the service and reads its events, which may include events that were not
     * subscribed. Pure: requests to the service belong in `complete`.
     */
    receive(delivery: InboxDelivery, subscription: InboxSubscription): InboxVerdict;
    /**
     * Completes an event if a delivery holds little more than an id.
     * @throws StepError, after which the service sends it again
     */
    complete?(context: ServiceContext, event: ConnectorEvent): Promise<ConnectorEvent>;
  };
  /** Used if the service cannot reach us or has no webhooks. */
  poll?: InboxPoll;
}
