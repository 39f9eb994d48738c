import { fireDueSchedules, LOOK_AHEAD_MS } from "#lib/domain/triggers/schedules/fire-due-schedules";
import { repeatWhenDue } from "#worker/chores/repeat-when-due";

/** Fires schedules from now on: looks when the next one is due, and once a second for new ones. */
export function startSchedules(): { stop(): void } {
  return repeatWhenDue({
    name: "looking for due schedules",
    turn: async () => (await fireDueSchedules()).waitMs,
    retryMs: LOOK_AHEAD_MS,
  });
}
