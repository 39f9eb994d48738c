import { z } from "zod";
import type { TriggerDefinition } from "#lib/connectors/sdk/define-trigger";
import type { JsonObject } from "#lib/contract/wire/json-schema";

const DOCS = "https://apidocs.bitrix24.com/api-reference/";
const text = z.string().optional();
const WHOLE = "The object as the REST API returns it. Only its id if it was deleted or could not be read.";

const crmObject = z.looseObject({ ID: z.string(), DATE_CREATE: text, DATE_MODIFY: text }).describe(WHOLE);
const deal = crmObject.extend({ TITLE: text, STAGE_ID: text, OPPORTUNITY: text, ASSIGNED_BY_ID: text });
const contact = crmObject.extend({ NAME: text, LAST_NAME: text });
const lead = crmObject.extend({ TITLE: text, STATUS_ID: text, NAME: text, LAST_NAME: text });
const task = z
  .looseObject({ id: text, title: text, status: text, responsibleId: text, createdDate: text, changedDate: text })
  .describe(WHOLE);

const AT = { DATE_CREATE: "2026-01-05T10:00:00+00:00", DATE_MODIFY: "2026-01-05T10:00:00+00:00" };
const CHANGED = { DATE_MODIFY: "2026-01-06T09:30:00+00:00" };
const DEAL = { ID: "37", TITLE: "Renewal", STAGE_ID: "NEW", OPPORTUNITY: "1200.00", ASSIGNED_BY_ID: "1", ...AT };
const CONTACT = { ID: "51", NAME: "Ada", LAST_NAME: "Lovelace", ...AT };
const LEAD = { ID: "64", TITLE: "From the web", STATUS_ID: "NEW", NAME: "Ada", ...AT };
const TASK = {
  id: "8017",
  title: "Call back",
  status: "2",
  responsibleId: "1",
  createdDate: "2026-01-05T10:00:00+00:00",
  changedDate: "2026-01-05T10:00:00+00:00",
};

function trigger(
  title: string,
  description: string,
  page: string,
  data: z.ZodType,
  example: JsonObject,
): TriggerDefinition {
  return { title, description, docs: DOCS + page, data, example };
}

export const BITRIX24_TRIGGERS: Readonly<Record<string, TriggerDefinition>> = {
  new_deal: trigger("New deal", "A deal is created.", "crm/deals/events/on-crm-deal-add.html", deal, DEAL),
  deal_updated: trigger(
    "Deal updated",
    "A field of a deal changes, such as its stage.",
    "crm/deals/events/on-crm-deal-update.html",
    deal,
    { ...DEAL, STAGE_ID: "WON", ...CHANGED },
  ),
  new_contact: trigger(
    "New contact",
    "A contact is created.",
    "crm/contacts/events/on-crm-contact-add.html",
    contact,
    CONTACT,
  ),
  new_lead: trigger("New lead", "A lead is created.", "crm/leads/events/on-crm-lead-add.html", lead, LEAD),
  task_added: trigger("New task", "A task is created.", "tasks/events-tasks/on-task-add.html", task, TASK),
  task_updated: trigger("Task updated", "A field of a task changes.", "tasks/events-tasks/on-task-update.html", task, {
    ...TASK,
    status: "5",
    changedDate: "2026-01-06T09:30:00+00:00",
  }),
};
