import type { TriggerKind } from "#lib/contract/trigger/trigger";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { newForm } from "#lib/core/steps/trigger/form/new-form";
import { triggerKind } from "#lib/core/steps/trigger/trigger-kind";
import { shownTimeZone } from "@/components/api/shown-workspace";
import type { KindVariant } from "@/components/canvas/kinds/canvas-kind";

export const TRIGGER_CHOICES: readonly { value: TriggerKind; label: string }[] = [
  { value: "webhook", label: "Webhook: another service calls a URL" },
  { value: "schedule", label: "Schedule: at set times" },
  { value: "form", label: "Form: someone fills in a page" },
  { value: "connector", label: "Event from a connected service" },
  { value: "failure", label: "Failure: a run of another workflow fails" },
];

/** Returns the initial data of a trigger kind. */
function newTriggerData(kind: TriggerKind): JsonObject {
  if (kind === "webhook") return triggerKind.newData();
  if (kind === "failure") return { kind };
  if (kind === "form") return newForm();
  if (kind === "connector") return { kind, connector: "", event: "", params: {} };
  return { kind, mode: "cron", expression: "0 9 * * 1-5", timezone: shownTimeZone() };
}

/** The kinds as the step picker offers them. A trigger with the title of its kind as a name was not named by a user. */
export const TRIGGER_VARIANTS: readonly (KindVariant & { id: TriggerKind })[] = [
  {
    id: "webhook",
    title: "Webhook",
    description: "Start when another service calls a URL",
    keywords: "trigger incoming http post url callback form event",
    newData: () => newTriggerData("webhook"),
  },
  {
    id: "schedule",
    title: "Schedule",
    description: "Start at set times",
    keywords: "trigger cron timer interval every daily hourly weekly recurring",
    newData: () => newTriggerData("schedule"),
  },
  {
    id: "form",
    title: "Form",
    description: "Start when someone fills in a page",
    keywords: "trigger survey questionnaire contact page submit hosted typeform",
    newData: () => newTriggerData("form"),
  },
  {
    id: "connector",
    title: "Event",
    description: "Start on an event in a connected service",
    keywords: "trigger listen watch new app service",
    newData: () => newTriggerData("connector"),
  },
  {
    id: "failure",
    title: "Failure",
    description: "Start when a run of another workflow ends with an error or a timeout",
    keywords: "trigger failed crash catch handler",
    newData: () => newTriggerData("failure"),
  },
];

/** Converts a trigger to another kind. A default name changes with the kind; a typed name stays. */
export function asTriggerKind(kind: TriggerKind, name: unknown): Record<string, unknown> {
  const isGiven = name === triggerKind.title || TRIGGER_VARIANTS.some(({ title }) => title === name);
  const title = TRIGGER_VARIANTS.find(({ id }) => id === kind)?.title;
  return { ...newTriggerData(kind), name: isGiven ? title : name };
}
