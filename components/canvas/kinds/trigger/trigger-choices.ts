import { triggerKind } from "#lib/core/steps/trigger/trigger-kind";
import { shownTimeZone } from "@/components/api/shown-workspace";

/** The kinds of trigger a person can choose; an interval or a calendar is chosen within a schedule. */
export type OfferedKind = "webhook" | "schedule" | "connector";

export const TRIGGER_CHOICES: readonly { value: OfferedKind; label: string }[] = [
  { value: "webhook", label: "A webhook: another service calls an address" },
  { value: "schedule", label: "A schedule: at certain times" },
  { value: "connector", label: "An event of a service" },
];

/** The data that a trigger of a kind starts with. */
function newTriggerData(kind: OfferedKind): Record<string, unknown> {
  if (kind === "webhook") return triggerKind.newData();
  if (kind === "connector") return { kind, connector: "", event: "", params: {} };
  return { kind, mode: "cron", expression: "0 9 * * 1-5", timezone: shownTimeZone() };
}

const GIVEN_NAMES: Record<OfferedKind, string> = { webhook: "Webhook", schedule: "Schedule", connector: "Event" };

/** The data of a trigger that becomes another kind. A name that no one typed changes with it. */
export function asTriggerKind(kind: OfferedKind, name: unknown): Record<string, unknown> {
  const isGiven = name === triggerKind.title || Object.values(GIVEN_NAMES).some((given) => given === name);
  return { ...newTriggerData(kind), name: isGiven ? GIVEN_NAMES[kind] : name };
}
