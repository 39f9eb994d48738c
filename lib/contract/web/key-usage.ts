/** Hours a key's use is shown for. */
export const KEY_USAGE_HOURS = 24;
/** Days a key's refusals and calls are kept and shown. */
export const KEY_USAGE_DAYS = 7;

/** Requests of a key by the hour, the oldest first; the last is the present one. */
export interface KeyActivity {
  key_id: string;
  hours: number[];
}

/** How a key was used in the last seven days. */
export interface KeyUsageObject {
  /** Of the last 60 seconds; a limit of 0 is none. */
  window: { limit: number; used: number };
  /** The busiest first. `refused` are those that ended with 400 or more. */
  operations: { operation: string; requests: number; refused: number }[];
  /** 401, 403 and 429, the latest first. */
  refusals: { status: number; operation: string; requests: number; last_at: string }[];
  /** By the runs it asked for, the busiest first; a workflow without an action has none. */
  actions: { slug: string; runs: number }[];
}
