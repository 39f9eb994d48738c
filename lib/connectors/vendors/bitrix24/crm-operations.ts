import { z } from "zod";
import { connectorOperation, type GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import { callBitrix24 } from "#lib/connectors/vendors/bitrix24/call-bitrix24";
import {
  bitrix24CompanyFields,
  bitrix24ContactFields,
  bitrix24Id,
  bitrix24LeadFields,
  dealFields,
  toFields,
} from "#lib/connectors/vendors/bitrix24/fields";
import {
  COMPANY,
  CONTACT,
  DEAL,
  getObject,
  type Kind,
  LEAD,
  listObjects,
  listRows,
  read,
} from "#lib/connectors/vendors/bitrix24/kinds";
import { listOutput, listParams, pageShape, reachOperation } from "#lib/connectors/vendors/bitrix24/list-params";
import { optionsFrom } from "#lib/contract/field-options";

const DOCS = "https://apidocs.bitrix24.com/api-reference/crm/";
const crmObject = z.looseObject({ ID: z.string() });
const done = z.object({ id: z.number(), ok: z.literal(true) });
const idOutput = z.object({ id: z.number() });

interface Family {
  kind: Kind;
  /** As methods name it: `deal`. */
  one: "deal" | "lead" | "contact" | "company";
  many: string;
  fields: z.ZodRawShape;
  /** How a search by words is put into a filter, and what it asks for. */
  search: { params: z.ZodRawShape; filter: Readonly<Record<string, string>>; example: Record<string, unknown> };
  example: Record<string, unknown>;
}

function reading({ kind, one, many, search }: Family): Record<string, GuidedOperation> {
  const docs = `${DOCS}${many}/crm-${one}`;
  return {
    [`get_${one}`]: connectorOperation({
      ...{ kind: "read", docs: `${docs}-get.html`, title: `Get a ${one}`, description: `One ${one} by its id.` },
      params: z.object({ id: bitrix24Id }),
      output: crmObject,
      example: { id: 37 },
      run: (service, { id: given }) => getObject(service, kind, given),
    }),
    [`list_${many}`]: connectorOperation({
      ...{ kind: "search", docs: `${docs}-list.html`, title: `List ${many}` },
      description: `A page of 50 ${many} that fit the filter.`,
      params: listParams,
      output: listOutput,
      example: { filter: { ">ID": 0 }, order: { ID: "DESC" } },
      run: (service, params) => listObjects(service, kind, params),
    }),
    [`search_${many}`]: connectorOperation({
      ...{ kind: "search", docs: `${docs}-list.html`, title: `Search ${many}` },
      description: `A page of the ${many} that have all of what is filled in.`,
      params: z.object({ ...search.params, ...pageShape }),
      output: listOutput,
      example: search.example,
      run: (service, given) => {
        const words: Readonly<Record<string, unknown>> = given;
        const filter = Object.entries(search.filter).flatMap(([key, name]) => (words[key] ? [[name, words[key]]] : []));
        const { start, max_items } = z.object(pageShape).parse(given);
        return listObjects(service, kind, { start, max_items, filter: Object.fromEntries(filter) });
      },
    }),
    [`list_${one}_fields`]: reachOperation({
      ...{ method: `crm.${one}.fields`, docs: `${docs}-fields.html`, title: `List the fields of ${many}` },
      description: "Names, kinds and choices of the fields, your own too.",
    }),
  };
}

function writing({ one, many, fields, example }: Family): Record<string, GuidedOperation> {
  const docs = `${DOCS}${many}/crm-${one}`;
  return {
    [`create_${one}`]: connectorOperation({
      ...{ kind: "create", docs: `${docs}-add.html`, title: `Create a ${one}`, description: `A new ${one}.` },
      params: z.object(fields),
      output: idOutput,
      example,
      run: async (service, params) => {
        const { result } = await callBitrix24(service, `crm.${one}.add`, { fields: toFields(params) });
        return { id: read(z.coerce.number(), result) };
      },
    }),
    [`update_${one}`]: connectorOperation({
      ...{ kind: "update", docs: `${docs}-update.html`, title: `Update a ${one}` },
      description: `Other values of some fields of a ${one}.`,
      params: z.object({ id: bitrix24Id, ...fields }),
      output: done,
      example: { id: 37, ...example },
      run: async (service, { id: given, ...values }) => {
        await callBitrix24(service, `crm.${one}.update`, { id: given, fields: toFields(values) });
        return { id: given, ok: true };
      },
    }),
    [`delete_${one}`]: connectorOperation({
      ...{ kind: "delete", docs: `${docs}-delete.html`, title: `Delete a ${one}` },
      description: `A ${one} and what is attached to it.`,
      params: z.object({ id: bitrix24Id }),
      output: done,
      example: { id: 37 },
      run: async (service, { id: given }) => {
        await callBitrix24(service, `crm.${one}.delete`, { id: given });
        return { id: given, ok: true };
      },
    }),
  };
}

function commentsOf({ one }: Family): Record<string, GuidedOperation> {
  const docs = `${DOCS}timeline/comments/crm-timeline-comment`;
  const owner = bitrix24Id.meta({ title: `Id of the ${one}` });
  return {
    [`add_${one}_comment`]: connectorOperation({
      ...{ kind: "create", docs: `${docs}-add.html`, title: `Comment on a ${one}` },
      description: `A comment in the timeline of a ${one}.`,
      params: z.object({ id: owner, comment: z.string().min(1, "is required").meta({ title: "Comment" }) }),
      output: idOutput,
      example: { id: 37, comment: "Called back" },
      run: async (service, { id: given, comment }) => {
        const fields = { ENTITY_ID: given, ENTITY_TYPE: one, COMMENT: comment };
        const { result } = await callBitrix24(service, "crm.timeline.comment.add", { fields });
        return { id: read(z.coerce.number(), result) };
      },
    }),
    [`list_${one}_comments`]: connectorOperation({
      ...{ kind: "search", docs: `${docs}-list.html`, title: `List the comments on a ${one}` },
      description: "A page of 50, newest first.",
      params: z.object({ id: owner, ...pageShape }),
      output: listOutput,
      example: { id: 37 },
      run: (service, { id: given, ...page }) => {
        const params = { filter: { ENTITY_ID: given, ENTITY_TYPE: one }, order: { ID: "DESC" } };
        return listRows(service, "crm.timeline.comment.list", params, page);
      },
    }),
  };
}

const word = (title: string) => z.string().min(1).nullish().meta({ title });

const FAMILIES: readonly Family[] = [
  {
    ...{ kind: DEAL, one: "deal", many: "deals", fields: dealFields },
    search: {
      params: {
        title: word("Part of the title"),
        stage_id: word("Stage").meta({ title: "Stage", ...optionsFrom("deal_stages") }),
      },
      filter: { title: "%TITLE", stage_id: "STAGE_ID" },
      example: { title: "Renewal" },
    },
    example: { title: "Renewal", amount: 1200, currency: "EUR" },
  },
  {
    ...{ kind: CONTACT, one: "contact", many: "contacts", fields: bitrix24ContactFields },
    search: {
      params: { email: word("E-mail"), phone: word("Phone"), last_name: word("Part of the last name") },
      filter: { email: "EMAIL", phone: "PHONE", last_name: "%LAST_NAME" },
      example: { email: "ada@example.com" },
    },
    example: { name: "Ada", last_name: "Lovelace", email: "ada@example.com" },
  },
  {
    ...{ kind: LEAD, one: "lead", many: "leads", fields: bitrix24LeadFields },
    search: {
      params: { title: word("Part of the title"), email: word("E-mail"), phone: word("Phone") },
      filter: { title: "%TITLE", email: "EMAIL", phone: "PHONE" },
      example: { phone: "+15550100" },
    },
    example: { title: "From the web", name: "Ada", phone: "+15550100" },
  },
  {
    ...{ kind: COMPANY, one: "company", many: "companies", fields: bitrix24CompanyFields },
    search: {
      params: { title: word("Part of the name"), email: word("E-mail"), phone: word("Phone") },
      filter: { title: "%TITLE", email: "EMAIL", phone: "PHONE" },
      example: { title: "Example" },
    },
    example: { title: "Example Ltd", phone: "+15550100" },
  },
];

export const BITRIX24_CRM_OPERATIONS: Readonly<Record<string, GuidedOperation>> = Object.assign(
  {},
  ...FAMILIES.map((family) => ({ ...reading(family), ...writing(family), ...commentsOf(family) })),
  {
    list_pipelines: reachOperation({
      ...{
        method: "crm.category.list",
        params: { entityTypeId: 2 },
        docs: `${DOCS}universal/category/crm-category-list.html`,
      },
      ...{ title: "List pipelines", description: "The pipelines of deals." },
    }),
    list_stages: connectorOperation({
      ...{ kind: "search", docs: `${DOCS}status/crm-status-list.html`, title: "List stages" },
      description: "The stages of a pipeline of deals, or of leads.",
      params: z.object({
        entity_id: z
          .string()
          .min(1)
          .nullish()
          .meta({ title: "Of", description: "DEAL_STAGE, DEAL_STAGE_1 of the pipeline 1, or STATUS of leads." }),
      }),
      output: listOutput,
      example: { entity_id: "DEAL_STAGE" },
      run: async (service, { entity_id: of }) => {
        const filter = { ENTITY_ID: of ?? "DEAL_STAGE" };
        const { result } = await callBitrix24(service, "crm.status.list", { filter, order: { SORT: "ASC" } });
        return { items: read(z.array(z.looseObject({})), result), next: null, total: null };
      },
    }),
    list_deal_products: connectorOperation({
      ...{ kind: "search", docs: `${DOCS}deals/crm-deal-productrows-get.html`, title: "List the products of a deal" },
      description: "Its product rows, with quantities and prices.",
      params: z.object({ id: bitrix24Id.meta({ title: "Id of the deal" }) }),
      output: listOutput,
      example: { id: 37 },
      run: async (service, { id: given }) => {
        const { result } = await callBitrix24(service, "crm.deal.productrows.get", { id: given });
        return { items: read(z.array(z.looseObject({})), result), next: null, total: null };
      },
    }),
    set_deal_products: connectorOperation({
      ...{ kind: "update", docs: `${DOCS}deals/crm-deal-productrows-set.html`, title: "Set the products of a deal" },
      description: "These product rows in the place of those it has.",
      params: z.object({
        id: bitrix24Id.meta({ title: "Id of the deal" }),
        rows: z
          .array(z.record(z.string(), z.unknown()))
          .meta({ title: "Rows", description: '[{"PRODUCT_NAME": "Chair", "PRICE": 20, "QUANTITY": 2}].' }),
      }),
      output: done,
      example: { id: 37, rows: [{ PRODUCT_NAME: "Chair", PRICE: 20, QUANTITY: 2 }] },
      run: async (service, { id: given, rows }) => {
        await callBitrix24(service, "crm.deal.productrows.set", { id: given, rows });
        return { id: given, ok: true };
      },
    }),
  },
);
