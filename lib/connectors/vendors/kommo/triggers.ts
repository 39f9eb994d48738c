import { z } from "zod";
import type { TriggerDefinition } from "#lib/connectors/sdk/define-trigger";
import { catalogParams, watchCatalog } from "#lib/connectors/vendors/kommo/watch-catalog";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { formatNumber } from "#lib/support/format/format-number";

const docs = "https://developers.kommo.com/docs/webhooks-general";
const TEXTS = "The object as Kommo sends it. Every value is a string.";
const text = z.string();

type Words = Pick<TriggerDefinition, "title" | "description">;

function trigger(words: Words, data: z.ZodType, example: JsonObject): TriggerDefinition {
  return { ...words, docs, data: data.describe(TEXTS), example };
}

const AT = { date_create: "1790000000", last_modified: "1790000100", account_id: "900" };
const MANAGER = { responsible_user_id: "31", modified_user_id: "31" };

const lead = z.looseObject({
  id: text,
  name: text.optional(),
  status_id: text.optional(),
  pipeline_id: text.optional(),
  price: text.optional(),
  responsible_user_id: text.optional(),
});
const LEAD = { id: "512", name: "Renewal", status_id: "142", pipeline_id: "5", price: "1200", ...MANAGER, ...AT };
const GONE_LEAD = { id: "512", status_id: "142", pipeline_id: "5" };

const contact = z.looseObject({
  id: text,
  name: text.optional(),
  type: text.optional(),
  responsible_user_id: text.optional(),
});
const CONTACT = { id: "4711", name: "Ada Lovelace", type: "contact", ...MANAGER, ...AT };
const COMPANY = { id: "80", name: "Example Ltd", type: "company", ...MANAGER, ...AT };

const task = z.looseObject({
  id: text,
  text: text.optional(),
  element_id: text.optional(),
  element_type: text.optional().describe("1 a contact, 2 a lead, 3 a company."),
  complete_till: text.optional(),
  responsible_user_id: text.optional(),
});
const TASK = {
  id: "700",
  element_id: "512",
  element_type: "2",
  task_type: "1",
  text: "Call back",
  complete_till: "2026-01-05 18:00:00",
  ...MANAGER,
  ...AT,
};

const unsorted = z.looseObject({ uid: text, category: text.optional().describe("sip, mail, forms or chats.") });
const UNSORTED = { uid: "0c2f4d", category: "forms", source: "example.com", created_at: "1790000000" };
const UNSORTED_GONE = { ...UNSORTED, action: "accept", accept_result: { leads: ["512"] }, modified_user_id: "31" };

const note = z.looseObject({
  id: text,
  text: text.optional(),
  note_type: text.optional(),
  element_id: text.optional(),
});
const noteOf = (elementType: string, elementId: string): JsonObject => ({
  id: "900",
  note_type: "4",
  element_type: elementType,
  element_id: elementId,
  text: "Called back",
  created_by: "31",
  date_create: "2026-01-05 10:00:00",
});

const message = z.looseObject({
  id: text,
  text: text.optional(),
  chat_id: text.optional(),
  talk_id: text.optional(),
  contact_id: text.optional(),
  entity_id: text.optional(),
  entity_type: text.optional(),
});
const MESSAGE = {
  id: "5f1c-77",
  chat_id: "c-1",
  talk_id: "812",
  contact_id: "4711",
  text: "Hello",
  created_at: "1790000000",
  entity_id: "512",
  entity_type: "lead",
  type: "incoming",
  author: { id: "a-1", type: "external", name: "Ada Lovelace" },
};

const talk = z.looseObject({ talk_id: text, contact_id: text.optional(), chat_id: text.optional() });
const TALK = {
  talk_id: "812",
  created_at: "1790000000",
  updated_at: "1790000100",
  contact_id: "4711",
  chat_id: "c-1",
  entity_id: "512",
  entity_type: "lead",
  is_in_work: "1",
  is_read: "0",
  origin: "telegram",
};

/** Defines the triggers that leads, contacts, companies and tasks have in common. */
function changesOf(one: string, data: z.ZodType, example: JsonObject): Record<string, TriggerDefinition> {
  return {
    [`${one}_added`]: trigger({ title: `New ${one}`, description: `A ${one} is created.` }, data, example),
    [`${one}_edited`]: trigger({ title: `Edited ${one}`, description: `A field of a ${one} changes.` }, data, example),
    [`${one}_responsible_changed`]: trigger(
      { title: `Reassigned ${one}`, description: `A ${one} is assigned to another user.` },
      data,
      { ...example, old_responsible_user_id: "30" },
    ),
  };
}

function trashOf(
  one: string,
  data: z.ZodType,
  gone: JsonObject,
  example: JsonObject,
): Record<string, TriggerDefinition> {
  return {
    [`${one}_deleted`]: trigger(
      { title: `Deleted ${one}`, description: `A ${one} is deleted. Kommo sends little more than its id.` },
      data,
      gone,
    ),
    [`${one}_restored`]: trigger(
      { title: `Restored ${one}`, description: `A ${one} is restored from the recycle bin.` },
      data,
      example,
    ),
  };
}

const element = z.looseObject({ id: z.number(), catalog_id: z.number(), name: text.optional() });
const ELEMENT = { id: 610, catalog_id: 60, name: "Chair", created_at: 1_790_000_000, updated_at: 1_790_000_100 };

function elementTrigger(event: string, change: "added" | "updated" | "deleted", words: Words): TriggerDefinition {
  const seen = change === "deleted" ? { id: ELEMENT.id, catalog_id: ELEMENT.catalog_id } : ELEMENT;
  return {
    title: words.title,
    description: `${words.description} Signalbox checks the list every two minutes; the list can have up to ${formatNumber(LIMITS.watchedListElements)} elements.`,
    docs: "https://www.amocrm.ru/developers/content/crm_platform/catalogs-api",
    params: catalogParams,
    data: element,
    example: seen,
    poll: watchCatalog(event, change),
  };
}

export const KOMMO_TRIGGERS: Readonly<Record<string, TriggerDefinition>> = {
  ...changesOf("lead", lead, LEAD),
  ...trashOf("lead", lead, GONE_LEAD, LEAD),
  lead_status_changed: trigger(
    { title: "Lead moved to another stage", description: "A lead moves to another stage, including won and lost." },
    lead.extend({ old_status_id: text.optional(), old_pipeline_id: text.optional() }),
    { ...LEAD, old_status_id: "141", old_pipeline_id: "5" },
  ),
  ...changesOf("contact", contact, CONTACT),
  ...trashOf("contact", contact, { id: "4711", type: "contact" }, CONTACT),
  ...changesOf("company", contact, COMPANY),
  ...trashOf("company", contact, { id: "80", type: "company" }, COMPANY),
  ...changesOf("task", task, TASK),
  task_deleted: trigger({ title: "Deleted task", description: "A task is deleted." }, task, {
    id: "700",
    element_id: "512",
    element_type: "2",
  }),
  unsorted_added: trigger(
    {
      title: "New incoming lead",
      description: "A form, call or chat creates an incoming lead that no one has accepted yet.",
    },
    unsorted,
    UNSORTED,
  ),
  unsorted_edited: trigger(
    { title: "Edited incoming lead", description: "An incoming lead changes before it is accepted." },
    unsorted,
    { ...UNSORTED, updated_at: "1790000100" },
  ),
  unsorted_deleted: trigger(
    {
      title: "Incoming lead accepted or declined",
      description: "An incoming lead is accepted or declined. The field action says which.",
    },
    unsorted,
    UNSORTED_GONE,
  ),
  note_lead_added: trigger(
    { title: "New note on a lead", description: "A note is added to a lead." },
    note,
    noteOf("2", "512"),
  ),
  note_contact_added: trigger(
    { title: "New note on a contact", description: "A note is added to a contact." },
    note,
    noteOf("1", "4711"),
  ),
  note_company_added: trigger(
    { title: "New note on a company", description: "A note is added to a company." },
    note,
    noteOf("3", "80"),
  ),
  catalog_element_added: elementTrigger("catalog_element_added", "added", {
    title: "New list element",
    description: "An element, such as a product, is added to a list.",
  }),
  catalog_element_updated: elementTrigger("catalog_element_updated", "updated", {
    title: "Edited list element",
    description: "A field of a list element changes.",
  }),
  catalog_element_deleted: elementTrigger("catalog_element_deleted", "deleted", {
    title: "Deleted list element",
    description: "A list element is deleted. Only its id is known.",
  }),
  message_received: trigger(
    { title: "Message received", description: "A contact sends a message in a chat." },
    message,
    MESSAGE,
  ),
  talk_added: trigger({ title: "New conversation", description: "A conversation with a contact starts." }, talk, TALK),
  talk_edited: trigger(
    { title: "Conversation updated", description: "A conversation is read, accepted or closed." },
    talk,
    {
      ...TALK,
      is_read: "1",
    },
  ),
};
