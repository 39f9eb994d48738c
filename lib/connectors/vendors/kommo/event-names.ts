interface Kind {
  /** As `settings` of a webhook call one of them: `add_lead`. */
  one: string;
  /** By what happened: our identifier. */
  events: Readonly<Record<string, string>>;
}

/**
 * https://www.amocrm.ru/developers/content/crm_platform/webhooks-format: what Kommo tells of, by its names. The names of
 * `settings` are those of https://developers.kommo.com/reference/webhook-events, `add_message` among them. It leaves out
 * those of `update_task`, `update_talk` and unsorted, although https://developers.kommo.com/docs/webhooks-general lists
 * their events; clients of the API use the names that follow from the others. None was tried with an account of ours:
 * should Kommo refuse one, the trigger shows its answer.
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

/** @returns our identifier; null for what no trigger is about */
export function eventName(kind: string, action: string): string | null {
  const events = Object.hasOwn(KINDS, kind) ? KINDS[kind]?.events : undefined;
  return (events && Object.hasOwn(events, action) && events[action]) || null;
}

/** `settings` of a webhook for these of our identifiers. */
export function webhookSettingsOf(wanted: readonly string[]): string[] {
  return Object.values(KINDS).flatMap(({ one, events }) =>
    Object.entries(events).flatMap(([action, event]) => (wanted.includes(event) ? [`${action}_${one}`] : [])),
  );
}
