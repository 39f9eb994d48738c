/**
 * An event that the pages of a workspace receive about a workflow: someone opened it, left it, or changed its draft.
 */
export interface WorkflowNotice {
  workflow_id: string;
  kind: "here" | "left" | "changed";
  actor: { type: "user" | "api_key"; id: string; name: string };
  /** The page that sent the event; null for an agent. */
  client_id: string | null;
  /** The draft's revision after the change; null for the other events. */
  revision: number | null;
}

/** How often a page reports that it is open, and how long after its last report it counts as closed. */
export const PRESENCE_EVERY_MS = 20_000;
export const PRESENCE_GONE_MS = 50_000;
