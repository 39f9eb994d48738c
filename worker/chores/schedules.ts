import { fireDueSchedules, LOOK_AHEAD_MS } from "#lib/domain/triggers/schedules/fire-due-schedules";
import { repeatWhenDue } from "#worker/chores/repeat-when-due";

/** Fires schedules from now on: looks at the moment the next one is due, and once a second for those that came up since. */
export function startSchedules(): { stop(): void } {
  return repeatWhenDue({
    name: "looking for due schedules",
    turn: async () => (await fireDueSchedules()).waitMs,
    retryMs: LOOK_AHEAD_MS,
  });
}
