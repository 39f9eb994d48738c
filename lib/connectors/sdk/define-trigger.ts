import type { z } from "zod";
import type { ConnectionValues, ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { JsonObject } from "#lib/contract/json-schema";

/** Something that happened at a service. */
export interface ConnectorEvent {
  /** The trigger's identifier. */
  event: string;
  /** What a repetition is recognised by: one per connection, event and happening. */
  id: string;
  /** As the service says; null where it does not. */
  occurredAt: Date | null;
  /** What the workflow gets as `trigger.output.data`. */
  data: JsonObject;
}

/** One trigger of a connector (contract, Triggers). */
export interface TriggerDefinition {
  title: string;
  description: string;
  /** The vendor's page about it. */
  docs: string;
  /** Of the trigger node's `params`; an object whose properties have a title. Left out where there are none. */
  params?: z.ZodObject;
  /** What `data` holds, as far as one can rely on it. */
  data: z.ZodType;
  /** An event's `data`, for whoever tests a workflow before anything happened. */
  example: JsonObject;
  /** Whether an event of this kind is one that `params` ask for; left out where every one is. */
  matches?(data: JsonObject, params: JsonObject): boolean;
  /** Present where each trigger asks the service by itself; otherwise the connector's inbox brings its events. */
  poll?: TriggerPoll;
}

export interface Polled {
  /** In the order in which they happened. */
  events: ConnectorEvent[];
  /** Where the next poll goes on. */
  cursor: JsonObject;
  /** True when more waits already. */
  isMore?: boolean;
}

/** Asking a service for one trigger's events. */
export interface TriggerPoll {
  everySeconds: number;
  /**
   * What happened after the cursor. It is written together with the events' runs, so each event comes once; where an id
   * repeats all the same within a week it is recognised.
   * @param cursor null at the activation: answer where to begin, without events. What was there before starts nothing
   * @throws StepError; it is shown, and tried again later
   */
  list(context: ServiceContext, request: { cursor: JsonObject | null; params: JsonObject }): Promise<Polled>;
}

/** Asking a service for the events of all of a connection's triggers at once. */
export interface InboxPoll {
  everySeconds: number;
  /** As of TriggerPoll. */
  list(context: ServiceContext, request: { cursor: JsonObject | null; events: readonly string[] }): Promise<Polled>;
}

/** What of a subscription at the service is known here. */
export interface InboxSubscription {
  /** Where the service must send to. */
  url: string;
  /** 64 characters of a-z and 0-9, made for this connection, that the service can be told to prove itself by. */
  secret: string;
  /** What `subscribe` answered the last time. */
  state: JsonObject | null;
}

/** A request of the service to our address. */
export interface InboxDelivery {
  headers: Headers;
  /** Raw: what is signed. */
  body: Buffer;
  /** Of the address, with what `subscribe` put behind it. */
  query: URLSearchParams;
  receivedAt: Date;
}

export type InboxVerdict =
  | { isGenuine: true; events: ConnectorEvent[] }
  /** `reason` is for the delivery log. */
  | { isGenuine: false; reason: string };

/** How a service brings its events for a connection: it calls us, it is asked, or either. */
export interface InboxDefinition {
  webhook?: {
    /** Whether the service calls for a connection of these settings; left out where it does for all. Else it is polled. */
    isPossible?(settings: ConnectionValues): boolean;
    /**
     * Asks the service to send these events to the address, and no others. It is called whenever the set changes and may
     * be repeated: a subscription of before is replaced.
     * @returns what unsubscribe and receive need: ids, never secrets
     * @throws StepError; it is shown, and tried again later
     */
    subscribe(
      context: ServiceContext,
      request: InboxSubscription & { events: readonly string[] },
    ): Promise<JsonObject | null>;
    /** Ends it; what is gone already is no error. */
    unsubscribe(context: ServiceContext, subscription: InboxSubscription): Promise<void>;
    /**
     * Is it from the service, and what does it say? Events that nobody asked for may be among them. Pure: what must be
     * asked of the service to complete an event is asked by `complete`.
     */
    receive(delivery: InboxDelivery, subscription: InboxSubscription): InboxVerdict;
    /** Completes an event, where a delivery holds little more than an id. @throws StepError; the service sends it again */
    complete?(context: ServiceContext, event: ConnectorEvent): Promise<ConnectorEvent>;
  };
  /** Used where the service cannot reach us, or has no webhooks. */
  poll?: InboxPoll;
}
