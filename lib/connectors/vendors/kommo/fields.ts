import { z } from "zod";
import { maxItemsIn } from "#lib/connectors/sdk/collect-pages";
import { epochSeconds } from "#lib/connectors/sdk/epoch";
import { optionsFrom } from "#lib/contract/action/field-options";
import { writtenAs } from "#lib/contract/action/field-places";
import { numeric } from "#lib/support/numbers/numeric";

/** An id. Kommo accepts only numbers, but templates produce strings. */
export const kommoId = numeric(z.number().int().min(1));
const optionalId = kommoId.nullish();
const moment = epochSeconds.nullish();

export const pageParams = {
  page: numeric(z.number().int().min(1)).nullish().meta({ title: "Page", description: "Starts at 1." }),
  limit: numeric(z.number().int().min(1).max(250))
    .nullish()
    .meta({ title: "Page size", description: "Up to 250 items." }),
  max_items: maxItemsIn("pages (Page size, or 250 if empty)"),
};

export const filterParam = z.record(z.string(), z.unknown()).nullish().meta({
  title: "Filter",
  description: 'A filter of the Kommo API, such as {"pipeline_id": 5, "updated_at": {"from": 1790000000}}.',
});

export const orderParam = z
  .record(z.string(), z.enum(["asc", "desc"]))
  .nullish()
  .meta({ title: "Sort by", description: 'For example, {"updated_at": "desc"}.' });

export const withParam = z
  .array(z.string().min(1))
  .nullish()
  .meta({
    title: "Include",
    description: "Related data to include, such as contacts or catalog_elements.",
    ...writtenAs("name"),
  });

const customFields = z.array(z.record(z.string(), z.unknown())).nullish().meta({
  title: "Custom fields",
  description: 'The custom_fields_values of the API: [{"field_id": 7, "values": [{"value": "x"}]}].',
});

const tags = z.array(z.string().min(1)).nullish().meta({ title: "Tags", description: "Replaces the existing tags." });
const responsible = optionalId.meta({ title: "Responsible user", ...optionsFrom("users") });
const name = z.string().min(1).max(255).nullish().meta({ title: "Name" });
const email = z.string().min(1).nullish().meta({ title: "Email" });
const phone = z.string().min(1).nullish().meta({ title: "Phone" });

/** The stages of a lead: those of the chosen pipeline, or of all pipelines if none is chosen. */
export const STAGES = optionsFrom("stages", { dependsOn: ["pipeline_id"] });

export const kommoLeadFields = {
  name,
  price: numeric(z.number().int()).nullish().meta({ title: "Sale", description: "A whole number." }),
  pipeline_id: optionalId.meta({ title: "Pipeline", ...optionsFrom("pipelines") }),
  status_id: optionalId.meta({ title: "Stage", ...STAGES }),
  responsible_user_id: responsible,
  loss_reason_id: optionalId.meta({ title: "Loss reason", ...optionsFrom("loss_reasons") }),
  tags,
  custom_fields_values: customFields,
};

export const kommoContactFields = {
  name,
  first_name: name.meta({ title: "First name" }),
  last_name: name.meta({ title: "Last name" }),
  email,
  phone,
  responsible_user_id: responsible,
  tags,
  custom_fields_values: customFields,
};

export const kommoCompanyFields = {
  name,
  email,
  phone,
  responsible_user_id: responsible,
  tags,
  custom_fields_values: customFields,
};

export const kommoTaskFields = {
  text: z.string().min(1).nullish().meta({ title: "Text" }),
  complete_till: moment.meta({ title: "Deadline", description: "Epoch seconds." }),
  task_type_id: optionalId.meta({
    title: "Task type",
    description: "1 is a call, 2 is a meeting.",
    ...optionsFrom("task_types"),
  }),
  responsible_user_id: responsible,
  duration: numeric(z.number().int().min(0)).nullish().meta({ title: "Duration", description: "In seconds." }),
};

export const elementFields = { name, custom_fields_values: customFields };

/** Converts the given params to the API's format, in which tags, email and phone have their own place. */
export function toKommo(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { tags: names, email: mail, phone: number, custom_fields_values: custom, ...plain } = given;
  const contact = [contactField("EMAIL", mail), contactField("PHONE", number)].flat();
  const fields = [...contact, ...(Array.isArray(custom) ? custom : [])];
  return withoutEmpty({
    ...plain,
    custom_fields_values: fields.length > 0 ? fields : null,
    _embedded: Array.isArray(names) ? { tags: names.map((tag) => ({ name: tag })) } : null,
  });
}

export function withoutEmpty(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
}

/**
 * https://www.amocrm.ru/developers/content/crm_platform/custom-fields: the fields of every account are identified by
 * codes.
 */
function contactField(code: string, value: unknown): object[] {
  return typeof value === "string" ? [{ field_code: code, values: [{ value, enum_code: "WORK" }] }] : [];
}

/** Builds nested query parameters as the API expects them: `filter[pipeline_id]=5&filter[updated_at][from]=…`. */
export function nestedQuery(name: string, value: unknown): Record<string, string> {
  if (value === null || value === undefined) return {};
  if (typeof value !== "object") return { [name]: String(value) };
  return Object.assign({}, ...Object.entries(value).map(([key, item]) => nestedQuery(`${name}[${key}]`, item)));
}
