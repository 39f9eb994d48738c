interface Kind {
  /** The name in the `settings` of a webhook: `add_lead`. */
  one: string;
  /** Our trigger identifiers by Kommo's action. */
  events: Readonly<Record<string, string>>;
}

/**
 * Maps Kommo's event names to our identifiers: https://www.amocrm.ru/developers/content/crm_platform/webhooks-format.
 * The names of `settings` are those of https://developers.kommo.com/reference/webhook-events, including `add_message`.
 * That page omits `update_task`, `update_talk` and the names for unsorted leads, although
 * https://developers.kommo.com/docs/webhooks-general lists their events; API clients use the names that follow from the
 * others. None of them was tried with a real account: if Kommo rejects one, the trigger shows Kommo's response.
 */
const KINDS: Readonly<Record<string, Kind>> = {
  leads: {
    one: "lead",
    events: {
      add: "lead_added",
      update: "lead_edited",
      delete: "lead_deleted",
      restore: "lead_restored",
      status: "lead_status_changed",
      responsible: "lead_responsible_changed",
      note: "note_lead_added",
    },
  },
  contacts: {
    one: "contact",
    events: {
      add: "contact_added",
      update: "contact_edited",
      delete: "contact_deleted",
      restore: "contact_restored",
      responsible: "contact_responsible_changed",
      note: "note_contact_added",
    },
  },
  companies: {
    one: "company",
    events: {
      add: "company_added",
      update: "company_edited",
      delete: "company_deleted",
      restore: "company_restored",
      responsible: "company_responsible_changed",
      note: "note_company_added",
    },
  },
  task: {
    one: "task",
    events: {
      add: "task_added",
      update: "task_edited",
      delete: "task_deleted",
      responsible: "task_responsible_changed",
    },
  },
  unsorted: {
    one: "unsorted",
    events: { add: "unsorted_added", update: "unsorted_edited", delete: "unsorted_deleted" },
  },
  message: { one: "message", events: { add: "message_received" } },
  talk: { one: "talk", events: { add: "talk_added", update: "talk_edited" } },
};

/** Some accounts send tasks and talks under the plural, as the other objects. */
const PLURALS: ReadonlyMap<string, string> = new Map([
  ["tasks", "task"],
  ["talks", "talk"],
]);

/** @returns our identifier, or null if no trigger covers the event */
export function eventName(sentKind: string, action: string): string | null {
  const kind = PLURALS.get(sentKind) ?? sentKind;
  const events = Object.hasOwn(KINDS, kind) ? KINDS[kind]?.events : undefined;
  return (events && Object.hasOwn(events, action) && events[action]) || null;
}

/** Returns the `settings` of a webhook for these of our identifiers. */
export function webhookSettingsOf(wanted: readonly string[]): string[] {
  return Object.values(KINDS).flatMap(({ one, events }) =>
    Object.entries(events).flatMap(([action, event]) => (wanted.includes(event) ? [`${action}_${one}`] : [])),
  );
}
