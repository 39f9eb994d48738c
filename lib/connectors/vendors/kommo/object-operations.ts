import { z } from "zod";
import { pathOf } from "#lib/connectors/sdk/call-service";
import { connectorOperation, type GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import { callKommo, getFromKommo } from "#lib/connectors/vendors/kommo/call-kommo";
import {
  filterParam,
  kommoCompanyFields,
  kommoContactFields,
  kommoId,
  kommoLeadFields,
  orderParam,
  pageParams,
  STAGES,
  toKommo,
  withParam,
} from "#lib/connectors/vendors/kommo/fields";
import { kommoObject, kommoPage, listFromKommo, writeOneToKommo } from "#lib/connectors/vendors/kommo/kommo-request";

interface Family {
  /** The name in paths: `leads`. */
  type: "leads" | "contacts" | "companies";
  one: "lead" | "contact" | "company";
  fields: z.ZodRawShape;
  /** The related data that can be included. */
  with: string[];
  example: Record<string, unknown>;
}

function docsOf(type: string): string {
  return `https://www.kommo.com/developers/content/api_v4/${type}-api/`;
}

/** Defines the read operations of leads, contacts and companies. The API cannot delete them. */
function reading({ type, one, with: known }: Family): Record<string, GuidedOperation> {
  const docs = docsOf(type);
  const path = `/${type}`;
  return {
    [`get_${one}`]: connectorOperation({
      kind: "read",
      docs,
      title: `Get a ${one}`,
      description: `Returns a ${one} by its id, with the related data you ask for.`,
      params: z.object({ id: kommoId.meta({ title: "Id" }), with: withParam }),
      output: kommoObject,
      example: { id: 512, with: known },
      run: (service, { id: given, with: expand }) =>
        getFromKommo(service, {
          method: "GET",
          path: path + pathOf`/${given}`,
          query: { with: expand && expand.length > 0 ? expand.join(",") : null },
        }),
    }),
    [`list_${type}`]: connectorOperation({
      kind: "search",
      docs,
      title: `List ${type}`,
      description: `Returns a page of the ${type} that match the filter.`,
      params: z.object({ filter: filterParam, order: orderParam, with: withParam, ...pageParams }),
      output: kommoPage,
      example: { order: { updated_at: "desc" }, limit: 50 },
      run: (service, params) => listFromKommo(service, path, params),
    }),
    [`search_${type}`]: connectorOperation({
      kind: "search",
      docs,
      title: `Search ${type}`,
      description: `Returns a page of the ${type} that contain the text in one of their fields.`,
      params: z.object({
        query: z.string().min(1).meta({ title: "Text" }),
        filter: filterParam,
        with: withParam,
        ...pageParams,
      }),
      output: kommoPage,
      example: { query: "ada@example.com", limit: 5 },
      run: (service, params) => listFromKommo(service, path, params),
    }),
  };
}

function writing({ type, one, fields, example }: Family): Record<string, GuidedOperation> {
  const path = `/${type}`;
  return {
    [`create_${one}`]: connectorOperation({
      kind: "create",
      docs: docsOf(type),
      title: `Create a ${one}`,
      description: `Creates a ${one}.`,
      params: z.object(fields),
      output: kommoObject,
      example,
      run: (service, params) => writeOneToKommo(service, { method: "POST", path, one: toKommo(params) }),
    }),
    [`update_${one}`]: connectorOperation({
      kind: "update",
      docs: docsOf(type),
      title: `Update a ${one}`,
      description: `Changes the given fields of a ${one}.`,
      params: z.object({ id: kommoId.meta({ title: "Id" }), ...fields }),
      output: kommoObject,
      example: { id: 512, ...example },
      run: (service, { id: given, ...values }) =>
        getFromKommo(service, { method: "PATCH", path: path + pathOf`/${given as number}`, json: toKommo(values) }),
    }),
  };
}

const contact = z
  .object(kommoContactFields)
  .nullish()
  .meta({ title: "Contact", description: "Created together with the lead." });
const company = z
  .object(kommoCompanyFields)
  .nullish()
  .meta({ title: "Company", description: "Created together with the lead." });

const LEAD_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  create_lead_with_contact: connectorOperation({
    kind: "create",
    docs: "https://developers.kommo.com/reference/complex-leads",
    title: "Create a lead with its contact",
    description: "Creates a lead together with its contact and company.",
    params: z.object({ ...kommoLeadFields, contact, company }),
    output: z.looseObject({ id: z.number(), contact_id: z.number().nullish(), company_id: z.number().nullish() }),
    example: { name: "Renewal", price: 1200, contact: { name: "Ada Lovelace", email: "ada@example.com" } },
    run: async (service, { contact: person, company: firm, ...lead }) => {
      const { _embedded, ...fields } = toKommo(lead);
      const embedded = {
        ...(_embedded as object | undefined),
        ...(person ? { contacts: [toKommo(person)] } : {}),
        ...(firm ? { companies: [toKommo(firm)] } : {}),
      };
      const one = { ...fields, ...(Object.keys(embedded).length > 0 ? { _embedded: embedded } : {}) };
      // This endpoint returns a plain list.
      const answer = await callKommo(service, { method: "POST", path: "/leads/complex", json: [one] });
      return Array.isArray(answer) ? answer[0] : answer;
    },
  }),
  change_lead_stage: connectorOperation({
    kind: "update",
    docs: docsOf("leads"),
    title: "Move a lead to a stage",
    description:
      "Moves a lead to another stage, in the same or another pipeline. In every pipeline, stage 142 is won and stage 143 is lost.",
    params: z.object({
      id: kommoId.meta({ title: "Id" }),
      status_id: kommoId.meta({ title: "Stage", ...STAGES }),
      pipeline_id: kommoLeadFields.pipeline_id,
      loss_reason_id: kommoLeadFields.loss_reason_id,
    }),
    output: kommoObject,
    example: { id: 512, status_id: 142 },
    run: (service, { id: given, ...values }) =>
      getFromKommo(service, { method: "PATCH", path: pathOf`/leads/${given}`, json: toKommo(values) }),
  }),
};

const LEADS: Family = {
  type: "leads",
  one: "lead",
  fields: kommoLeadFields,
  with: ["contacts"],
  example: { name: "Renewal", price: 1200, tags: ["Web"] },
};
const CONTACTS: Family = {
  type: "contacts",
  one: "contact",
  fields: kommoContactFields,
  with: ["leads"],
  example: { name: "Ada Lovelace", email: "ada@example.com" },
};
const COMPANIES: Family = {
  type: "companies",
  one: "company",
  fields: kommoCompanyFields,
  with: ["contacts"],
  example: { name: "Example Ltd", phone: "+15550100" },
};

export const KOMMO_OBJECT_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  ...reading(LEADS),
  ...writing(LEADS),
  ...LEAD_OPERATIONS,
  ...reading(CONTACTS),
  ...writing(CONTACTS),
  ...reading(COMPANIES),
  ...writing(COMPANIES),
};
