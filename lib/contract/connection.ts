import type { z } from "zod";
import type {
  circuitSchema,
  connectionFieldSchema,
  connectionListenerSchema,
  connectionSchema,
  connectionTestSchema,
  connectionUseSchema,
  connectorKindSchema,
  testedConnectionSchema,
} from "#lib/contract/schemas/connection-schema";

/** A connection's state as its last use or test left it (decisions, Connections). */
export const CONNECTION_STATUSES = ["connected", "expired", "failed"] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** How a form shows a field, and whether its value is ever shown again. */
export const CONNECTION_FIELD_KINDS = ["text", "secret", "lines", "choice"] as const;
export type ConnectionFieldKind = (typeof CONNECTION_FIELD_KINDS)[number];

/** One field of the form that makes a connection. */
export type ConnectionFieldObject = z.output<typeof connectionFieldSchema>;

/** A connector that connections can be made to, with the ways to authenticate there. */
export type ConnectorKindObject = z.output<typeof connectorKindSchema>;

/** A connection as the web application shows it: never its secrets. */
export type ConnectionObject = z.output<typeof connectionSchema>;

/** `half_open`: one call is on its way to find out. */
export const PAUSED_CIRCUIT_STATES = ["open", "half_open"] as const;

/** Calls of a connector that are paused after too many failures (decisions, Connectors: breaker). */
export type CircuitObject = z.output<typeof circuitSchema>;

/** decisions, Connector events. */
export type ConnectionListener = z.output<typeof connectionListenerSchema>;

/** A workflow that names the connection, in its draft, in its deployed version, or in both. */
export type ConnectionUse = z.output<typeof connectionUseSchema>;

/** What the other side said. `untested`: there is nothing that could be asked. */
export type ConnectionTest = z.output<typeof connectionTestSchema>;

export type TestedConnection = z.output<typeof testedConnectionSchema>;
