import { z } from "zod";
import { optionsFrom } from "#lib/contract/action/field-options";
import { writtenAs } from "#lib/contract/action/field-places";
import { numeric } from "#lib/support/numbers/numeric";

export const bitrix24Id = numeric(z.number().int().min(1)).meta({ title: "Id" });

const text = z.string().min(1).nullish();
const number = numeric(z.number()).nullish();
const otherId = numeric(z.number().int().min(1)).nullish();

/** https://apidocs.bitrix24.com/api-reference/chats/messages/index.html: comments and descriptions have BB codes. */
export const BBCODE = writtenAs("bbcode");
const marked = z.unknown().optional().meta(BBCODE);

export const otherFields = z
  .looseObject({ COMMENTS: marked, DESCRIPTION: marked })
  .nullish()
  .meta({ title: "Other fields", description: "Values by Bitrix24's field names, such as UF_CRM_1700000000." });

const title = text.meta({ title: "Title" });
const comments = text.meta({ title: "Comment", ...BBCODE });
const assigned = otherId.meta({ title: "Responsible user", ...optionsFrom("users") });
const amount = number.meta({ title: "Amount" });
const currency = text.meta({ title: "Currency", description: "A currency code such as EUR." });
const name = text.meta({ title: "First name" });
const lastName = text.meta({ title: "Last name" });
const email = text.meta({ title: "Email" });
const phone = text.meta({ title: "Phone" });
const companyId = otherId.meta({ title: "Company id" });
const contactId = otherId.meta({ title: "Contact id" });
const source = text.meta({
  title: "Source",
  description: "A source id such as WEB or CALL.",
  ...optionsFrom("sources"),
});

/** The stages of the chosen pipeline, or of all pipelines if none is chosen. */
export const DEAL_STAGES = optionsFrom("deal_stages", { dependsOn: ["category_id"] });

export const dealFields = {
  title,
  stage_id: text.meta({ title: "Stage", description: "A stage id such as NEW or C1:NEW.", ...DEAL_STAGES }),
  category_id: numeric(z.number().int().min(0))
    .nullish()
    .meta({ title: "Pipeline", ...optionsFrom("pipelines") }),
  amount,
  currency,
  contact_id: contactId,
  company_id: companyId,
  assigned_by_id: assigned,
  comments,
  fields: otherFields,
};

export const bitrix24LeadFields = {
  title,
  name,
  last_name: lastName,
  email,
  phone,
  status_id: text.meta({ title: "Stage", ...optionsFrom("lead_stages") }),
  source_id: source,
  amount,
  currency,
  assigned_by_id: assigned,
  comments,
  fields: otherFields,
};

export const bitrix24ContactFields = {
  name,
  last_name: lastName,
  email,
  phone,
  company_id: companyId,
  source_id: source,
  assigned_by_id: assigned,
  comments,
  fields: otherFields,
};

export const bitrix24CompanyFields = { title, email, phone, assigned_by_id: assigned, comments, fields: otherFields };

export const bitrix24TaskFields = {
  title,
  description: text.meta({ title: "Description", ...BBCODE }),
  responsible_id: otherId.meta({ title: "Responsible user", ...optionsFrom("users") }),
  deadline: text.meta({ title: "Deadline", description: "An ISO 8601 time such as 2026-01-05T18:00:00+00:00." }),
  priority: numeric(z.number().int().min(0).max(2)).nullish().meta({ title: "Priority", description: "0, 1 or 2." }),
  group_id: otherId.meta({ title: "Group id" }),
  parent_id: otherId.meta({ title: "Parent task id" }),
  crm: z.array(z.string().min(1)).nullish().meta({
    title: "CRM objects",
    description: "For example, D_37 for a deal, C_51 for a contact or L_64 for a lead.",
  }),
  fields: otherFields,
};

/** Bitrix24's names for params that are not just our name in capitals. */
const NAMES: Readonly<Record<string, string>> = { amount: "OPPORTUNITY", currency: "CURRENCY_ID", crm: "UF_CRM_TASK" };
/** Fields stored as typed lists: https://apidocs.bitrix24.com/api-reference/crm/data-types.html, crm_multifield. */
const MULTIPLE: ReadonlySet<string> = new Set(["email", "phone"]);

/** Converts the given params to the `fields` of a method and omits empty ones. */
export function toFields(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { fields: others, ...named } = given;
  const entries = Object.entries(named).flatMap(([key, value]) => {
    if (value === null || value === undefined) return [];
    const wanted = MULTIPLE.has(key) ? [{ VALUE: value, VALUE_TYPE: "WORK" }] : value;
    return [[NAMES[key] ?? key.toUpperCase(), wanted]];
  });
  return { ...Object.fromEntries(entries), ...(others as object | null | undefined) };
}
