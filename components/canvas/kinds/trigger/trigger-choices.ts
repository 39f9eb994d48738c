import { triggerKind } from "#lib/core/steps/trigger/trigger-kind";
import { shownTimeZone } from "@/components/api/shown-workspace";

/** The trigger kinds that a user can choose; interval and cron are modes of a schedule. */
export type OfferedKind = "webhook" | "schedule" | "connector";

export const TRIGGER_CHOICES: readonly { value: OfferedKind; label: string }[] = [
  { value: "webhook", label: "Webhook: another service calls a URL" },
  { value: "schedule", label: "Schedule: at set times" },
  { value: "connector", label: "Event from a connected service" },
];

/** Returns the initial data of a trigger kind. */
function newTriggerData(kind: OfferedKind): Record<string, unknown> {
  if (kind === "webhook") return triggerKind.newData();
  if (kind === "connector") return { kind, connector: "", event: "", params: {} };
  return { kind, mode: "cron", expression: "0 9 * * 1-5", timezone: shownTimeZone() };
}

const GIVEN_NAMES: Record<OfferedKind, string> = { webhook: "Webhook", schedule: "Schedule", connector: "Event" };

/** Converts a trigger to another kind. A default name changes with the kind; a typed name stays. */
export function asTriggerKind(kind: OfferedKind, name: unknown): Record<string, unknown> {
  const isGiven = name === triggerKind.title || Object.values(GIVEN_NAMES).some((given) => given === name);
  return { ...newTriggerData(kind), name: isGiven ? GIVEN_NAMES[kind] : name };
}
