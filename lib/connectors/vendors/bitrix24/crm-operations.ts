import { z } from "zod";
import { connectorOperation, type GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import { callBitrix24 } from "#lib/connectors/vendors/bitrix24/call-bitrix24";
import { toContactValues } from "#lib/connectors/vendors/bitrix24/contact-values";
import {
  BBCODE,
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
import { optionsFrom } from "#lib/contract/action/field-options";
import { numeric } from "#lib/support/numbers/numeric";

const DOCS = "https://apidocs.bitrix24.com/api-reference/crm/";
const crmObject = z.looseObject({ ID: z.string() });
const done = z.object({ id: z.number(), ok: z.literal(true) });
const idOutput = z.object({ id: z.number() });

interface Family {
  kind: Kind;
  /** The name in methods: `deal`. */
  one: "deal" | "lead" | "contact" | "company";
  many: string;
  fields: z.ZodRawShape;
  /** The search params, the filter field that each one becomes, and an example. */
  search: { params: z.ZodRawShape; filter: Readonly<Record<string, string>>; example: Record<string, unknown> };
  example: Record<string, unknown>;
}

function reading({ kind, one, many, search }: Family): Record<string, GuidedOperation> {
  const docs = `${DOCS}${many}/crm-${one}`;
  return {
    [`get_${one}`]: connectorOperation({
      kind: "read",
      docs: `${docs}-get.html`,
      title: `Get a ${one}`,
      description: `Returns a ${one} by its id.`,
      params: z.object({ id: bitrix24Id }),
      output: crmObject,
      example: { id: 37 },
      run: (service, { id: given }) => getObject(service, kind, given),
    }),
    [`list_${many}`]: connectorOperation({
      kind: "search",
      docs: `${docs}-list.html`,
      title: `List ${many}`,
      description: `Returns a page of up to 50 ${many} that match the filter.`,
      params: listParams,
      output: listOutput,
      example: { filter: { ">ID": 0 }, order: { ID: "DESC" } },
      run: (service, params) => listObjects(service, kind, params),
    }),
    [`search_${many}`]: connectorOperation({
      kind: "search",
      docs: `${docs}-list.html`,
      title: `Search ${many}`,
      description: `Returns a page of the ${many} that match all given values.`,
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
      method: `crm.${one}.fields`,
      docs: `${docs}-fields.html`,
      title: `List the fields of ${many}`,
      description: "Returns the names, types and options of the fields, including custom fields.",
    }),
  };
}

function writing({ kind, one, many, fields, example }: Family): Record<string, GuidedOperation> {
  const docs = `${DOCS}${many}/crm-${one}`;
  return {
    [`create_${one}`]: connectorOperation({
      kind: "create",
      docs: `${docs}-add.html`,
      title: `Create a ${one}`,
      description: `Creates a ${one}.`,
      params: z.object(fields),
      output: idOutput,
      example,
      run: async (service, params) => {
        const { result } = await callBitrix24(service, `crm.${one}.add`, { fields: toFields(params) });
        return { id: read(numeric(z.number()), result) };
      },
    }),
    [`update_${one}`]: connectorOperation({
      kind: "update",
      docs: `${docs}-update.html`,
      title: `Update a ${one}`,
      description: `Changes the given fields of a ${one}.`,
      params: z.object({ id: bitrix24Id, ...fields }),
      output: done,
      example: { id: 37, ...example },
      run: async (service, { id: given, ...rest }) => {
        const values: Readonly<Record<string, unknown>> = rest;
        const others = values.fields as object | null | undefined;
        const fields = { ...toFields(values), ...(await toContactValues(service, kind, given, values)), ...others };
        await callBitrix24(service, `crm.${one}.update`, { id: given, fields });
        return { id: given, ok: true };
      },
    }),
    [`delete_${one}`]: connectorOperation({
      kind: "delete",
      docs: `${docs}-delete.html`,
      title: `Delete a ${one}`,
      description: `Deletes a ${one} and everything attached to it.`,
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
      kind: "create",
      docs: `${docs}-add.html`,
      title: `Comment on a ${one}`,
      description: `Adds a comment to the timeline of a ${one}.`,
      params: z.object({
        id: owner,
        comment: z
          .string()
          .min(1, "is required")
          .meta({ title: "Comment", ...BBCODE }),
      }),
      output: idOutput,
      example: { id: 37, comment: "Called back" },
      run: async (service, { id: given, comment }) => {
        const fields = { ENTITY_ID: given, ENTITY_TYPE: one, COMMENT: comment };
        const { result } = await callBitrix24(service, "crm.timeline.comment.add", { fields });
        return { id: read(numeric(z.number()), result) };
      },
    }),
    [`list_${one}_comments`]: connectorOperation({
      kind: "search",
      docs: `${docs}-list.html`,
      title: `List the comments on a ${one}`,
      description: "Returns a page of up to 50 comments, newest first.",
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
    kind: DEAL,
    one: "deal",
    many: "deals",
    fields: dealFields,
    search: {
      params: {
        title: word("Title contains"),
        stage_id: word("Stage").meta({ title: "Stage", ...optionsFrom("deal_stages") }),
      },
      filter: { title: "%TITLE", stage_id: "STAGE_ID" },
      example: { title: "Renewal" },
    },
    example: { title: "Renewal", amount: 1200, currency: "EUR" },
  },
  {
    kind: CONTACT,
    one: "contact",
    many: "contacts",
    fields: bitrix24ContactFields,
    search: {
      params: { email: word("Email"), phone: word("Phone"), last_name: word("Last name contains") },
      filter: { email: "EMAIL", phone: "PHONE", last_name: "%LAST_NAME" },
      example: { email: "ada@example.com" },
    },
    example: { name: "Ada", last_name: "Lovelace", email: "ada@example.com" },
  },
  {
    kind: LEAD,
    one: "lead",
    many: "leads",
    fields: bitrix24LeadFields,
    search: {
      params: { title: word("Title contains"), email: word("Email"), phone: word("Phone") },
      filter: { title: "%TITLE", email: "EMAIL", phone: "PHONE" },
      example: { phone: "+15550100" },
    },
    example: { title: "From the web", name: "Ada", phone: "+15550100" },
  },
  {
    kind: COMPANY,
    one: "company",
    many: "companies",
    fields: bitrix24CompanyFields,
    search: {
      params: { title: word("Name contains"), email: word("Email"), phone: word("Phone") },
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
      method: "crm.category.list",
      params: { entityTypeId: 2 },
      docs: `${DOCS}universal/category/crm-category-list.html`,
      title: "List pipelines",
      description: "Returns the pipelines of deals.",
    }),
    list_stages: connectorOperation({
      kind: "search",
      docs: `${DOCS}status/crm-status-list.html`,
      title: "List stages",
      description: "Returns the stages of leads, or of the deals in one pipeline.",
      params: z.object({
        entity_id: z.string().min(1).nullish().meta({
          title: "Stages of",
          description:
            "DEAL_STAGE for the default pipeline, DEAL_STAGE_1 for pipeline 1, or STATUS for leads. DEAL_STAGE if empty.",
        }),
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
      kind: "search",
      docs: `${DOCS}deals/crm-deal-productrows-get.html`,
      title: "List the products of a deal",
      description: "Returns the product rows of a deal, with quantities and prices.",
      params: z.object({ id: bitrix24Id.meta({ title: "Deal id" }) }),
      output: listOutput,
      example: { id: 37 },
      run: async (service, { id: given }) => {
        const { result } = await callBitrix24(service, "crm.deal.productrows.get", { id: given });
        return { items: read(z.array(z.looseObject({})), result), next: null, total: null };
      },
    }),
    set_deal_products: connectorOperation({
      kind: "update",
      docs: `${DOCS}deals/crm-deal-productrows-set.html`,
      title: "Set the products of a deal",
      description: "Replaces all product rows of a deal.",
      params: z.object({
        id: bitrix24Id.meta({ title: "Deal id" }),
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
