import { z } from "zod";
import { present } from "#lib/connectors/vendors/hubspot/object-pages";
import { optionsFrom } from "#lib/contract/action/field-options";
import { writtenAs } from "#lib/contract/action/field-places";

export const crmId = z.union([z.string().min(1), z.number()]).meta({ title: "Id" });
const otherId = z.union([z.string().min(1), z.number()]).nullish();
const word = z.string().min(1).nullish();

const owner_id = word.meta({ title: "Owner", description: "The owner's hubspot_owner_id.", ...optionsFrom("owners") });

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** HubSpot shows the body of a note as HTML. */
const RICH = writtenAs("html");

/** The properties to write by name, except those that have their own field. */
function valuesOf(type: string) {
  const values =
    type === "notes"
      ? z.object({ hs_note_body: value.optional().meta(RICH) }).catchall(value)
      : z.record(z.string(), value);
  return values.meta({
    title: "Properties",
    description: "Values by HubSpot's internal property names.",
    ...optionsFrom(`${type}_properties`),
  });
}

function pipelineFields(one: string) {
  return {
    pipeline: word.meta({ title: "Pipeline", ...optionsFrom(`${one}_pipelines`) }),
    stage: word.meta({ title: "Stage", ...optionsFrom(`${one}_stages`, { dependsOn: ["pipeline"] }) }),
  };
}

/** The object that a new object is associated with, by our params. */
const LINKS = {
  contact_id: otherId.meta({ title: "Contact id" }),
  company_id: otherId.meta({ title: "Company id" }),
  deal_id: otherId.meta({ title: "Deal id" }),
  ticket_id: otherId.meta({ title: "Ticket id" }),
};
type Link = keyof typeof LINKS;

export interface CrmType {
  /** The name in paths: `contacts`. */
  type: string;
  one: string;
  /** Additional fields of create and update, outside the properties. */
  fields?: z.ZodRawShape;
  /** The property that each field outside `properties` writes. */
  properties: Readonly<Record<string, string>>;
  /**
   * The types of the default associations that a new object can have: `AssociationTypes` of
   * https://github.com/HubSpot/hubspot-api-nodejs.
   */
  links: Readonly<Partial<Record<Link, number>>>;
  /** The page of the documentation. */
  docs: string;
  /** Example params of create_…, which must be valid in a published workflow. */
  example: Record<string, unknown>;
}

const OWNER = { owner_id: "hubspot_owner_id" };
const pageOfObject = (type: string) => `crm/objects/${type}/guide`;

export const CRM_TYPES: readonly CrmType[] = [
  {
    type: "contacts",
    one: "contact",
    properties: OWNER,
    links: { company_id: 279 },
    docs: pageOfObject("contacts"),
    example: { properties: { email: "ada@example.com", firstname: "Ada" } },
  },
  {
    type: "companies",
    one: "company",
    properties: OWNER,
    links: {},
    docs: pageOfObject("companies"),
    example: { properties: { name: "Example Ltd", domain: "example.com" } },
  },
  {
    type: "deals",
    one: "deal",
    fields: pipelineFields("deal"),
    links: { contact_id: 3, company_id: 341 },
    properties: { ...OWNER, pipeline: "pipeline", stage: "dealstage" },
    docs: pageOfObject("deals"),
    example: { properties: { dealname: "Renewal", amount: "1200" } },
  },
  {
    type: "tickets",
    one: "ticket",
    fields: pipelineFields("ticket"),
    properties: { ...OWNER, pipeline: "hs_pipeline", stage: "hs_pipeline_stage" },
    links: { contact_id: 16, company_id: 339, deal_id: 28 },
    docs: pageOfObject("tickets"),
    example: { properties: { subject: "Printer" }, stage: "1" },
  },
  {
    type: "notes",
    one: "note",
    docs: "crm/activities/notes/guide",
    fields: {
      body: z
        .string()
        .max(65_536)
        .nullish()
        .meta({ title: "Text", description: "HTML.", ...RICH }),
      timestamp: word.meta({ title: "Time", description: "An ISO 8601 time. When a note is created: now if empty." }),
      properties: valuesOf("notes").nullish(),
    },
    properties: { ...OWNER, body: "hs_note_body", timestamp: "hs_timestamp" },
    links: { contact_id: 202, company_id: 190, deal_id: 214, ticket_id: 228 },
    example: { body: "Called back", contact_id: "512" },
  },
];

/** Returns the params of update_…, except the id. */
export function changeShape({ type, fields }: CrmType) {
  return { properties: valuesOf(type), owner_id, ...fields };
}

/** Returns the params of create_…. */
export function creationShape(crmType: CrmType) {
  const links = Object.entries(LINKS).filter(([name]) => crmType.links[name as Link] !== undefined);
  return { ...changeShape(crmType), ...Object.fromEntries(links) };
}

/** Returns the properties that the params write; those written by name win. */
export function toProperties({ properties: names }: CrmType, given: Readonly<Record<string, unknown>>): object {
  const named = Object.entries(names).map(([field, name]) => [name, given[field]]);
  return { ...present(Object.fromEntries(named)), ...(given.properties as object | null | undefined) };
}

/** Returns the associations of a new object. */
export function toAssociations({ links }: CrmType, given: Readonly<Record<string, unknown>>): object[] {
  return Object.entries(links).flatMap(([name, associationTypeId]) => {
    const id = given[name];
    if (id === null || id === undefined) return [];
    return [{ to: { id: String(id) }, types: [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId }] }];
  });
}
