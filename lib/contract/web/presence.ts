/** What the pages of a workspace hear of a workflow: somebody has it open, has left it, or has changed its draft. */
export interface WorkflowNotice {
  workflow_id: string;
  kind: "here" | "left" | "changed";
  actor: { type: "user" | "api_key"; id: string; name: string };
  /** The page that tells it; null for an agent. */
  client_id: string | null;
  /** The draft's revision after the change; null for the others. */
  revision: number | null;
}

/** A page says every so often that it is there, and counts as gone when it has not for the longer of the two. */
export const PRESENCE_EVERY_MS = 20_000;
export const PRESENCE_GONE_MS = 50_000;
