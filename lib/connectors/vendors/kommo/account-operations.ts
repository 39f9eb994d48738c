import { z } from "zod";
import { pathOf } from "#lib/connectors/sdk/call-service";
import { connectorOperation, type GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import { epochSeconds } from "#lib/connectors/sdk/epoch";
import { callKommo, getFromKommo } from "#lib/connectors/vendors/kommo/call-kommo";
import {
  filterParam,
  kommoId,
  kommoTaskFields,
  orderParam,
  pageParams,
  toKommo,
  withoutEmpty,
} from "#lib/connectors/vendors/kommo/fields";
import { kommoObject, kommoPage, listFromKommo, writeOneToKommo } from "#lib/connectors/vendors/kommo/kommo-request";
import { optionsFrom } from "#lib/contract/action/field-options";

const DOCS = "https://www.amocrm.ru/developers/content/crm_platform/";
const TASKS_DOCS = "https://www.amocrm.com/developers/content/api/tasks/";
const UNSORTED_DOCS = "https://www.kommo.com/developers/content/api_v4/incoming-leads/";
const uid = z.string().min(1).meta({ title: "Uid" });
const unsorted = z.looseObject({ uid: z.string() });

const TASKS: Readonly<Record<string, GuidedOperation>> = {
  get_task: connectorOperation({
    kind: "read",
    docs: TASKS_DOCS,
    title: "Get a task",
    description: "Returns a task by its id.",
    params: z.object({ id: kommoId.meta({ title: "Id" }) }),
    output: kommoObject,
    example: { id: 700 },
    run: (service, { id: given }) => getFromKommo(service, { method: "GET", path: pathOf`/tasks/${given}` }),
  }),
  list_tasks: connectorOperation({
    kind: "search",
    docs: TASKS_DOCS,
    title: "List tasks",
    description: "Returns a page of tasks. You can filter them by responsible user, linked object, type or completion.",
    params: z.object({ filter: filterParam, order: orderParam, ...pageParams }),
    output: kommoPage,
    example: { filter: { is_completed: 0 }, order: { complete_till: "asc" } },
    run: (service, params) => listFromKommo(service, "/tasks", params),
  }),
  create_task: connectorOperation({
    kind: "create",
    docs: TASKS_DOCS,
    title: "Create a task",
    description: "Creates a task, optionally linked to a lead, contact or company.",
    params: z.object({
      ...kommoTaskFields,
      text: z.string().min(1, "is required").meta({ title: "Text" }),
      complete_till: epochSeconds.meta({ title: "Deadline", description: "Epoch seconds." }),
      entity_type: z.enum(["leads", "contacts", "companies"]).nullish().meta({ title: "Linked to" }),
      entity_id: kommoId.nullish().meta({ title: "Linked object id" }),
    }),
    output: kommoObject,
    example: { text: "Call back", complete_till: 1_800_000_000, entity_type: "leads", entity_id: 512 },
    run: (service, params) => writeOneToKommo(service, { method: "POST", path: "/tasks", one: toKommo(params) }),
  }),
  update_task: connectorOperation({
    kind: "update",
    docs: TASKS_DOCS,
    title: "Update a task",
    description: "Changes the given fields of a task.",
    params: z.object({ id: kommoId.meta({ title: "Id" }), ...kommoTaskFields }),
    output: kommoObject,
    example: { id: 700, text: "Call back tomorrow" },
    run: (service, { id: given, ...values }) =>
      getFromKommo(service, { method: "PATCH", path: pathOf`/tasks/${given}`, json: toKommo(values) }),
  }),
  complete_task: connectorOperation({
    kind: "update",
    docs: TASKS_DOCS,
    title: "Complete a task",
    description: "Marks a task as done, with an optional result.",
    params: z.object({
      id: kommoId.meta({ title: "Id" }),
      result: z.string().min(1).nullish().meta({ title: "Result" }),
    }),
    output: kommoObject,
    example: { id: 700, result: "They renew" },
    run: (service, { id: given, result }) =>
      getFromKommo(service, {
        method: "PATCH",
        path: pathOf`/tasks/${given}`,
        json: { is_completed: true, ...(result ? { result: { text: result } } : {}) },
      }),
  }),
};

/** Operations on incoming leads: leads that no one has accepted yet. */
const UNSORTED: Readonly<Record<string, GuidedOperation>> = {
  list_unsorted: connectorOperation({
    kind: "search",
    docs: UNSORTED_DOCS,
    title: "List incoming leads",
    description: "Returns a page of incoming leads that no one has accepted yet.",
    params: z.object({ filter: filterParam, order: orderParam, ...pageParams }),
    output: kommoPage,
    example: { filter: { category: ["forms"] } },
    run: (service, params) => listFromKommo(service, "/leads/unsorted", params),
  }),
  get_unsorted: connectorOperation({
    kind: "read",
    docs: UNSORTED_DOCS,
    title: "Get an incoming lead",
    description: "Returns an incoming lead by its uid.",
    params: z.object({ uid }),
    output: unsorted,
    example: { uid: "{{trigger.output.data.uid}}" },
    run: (service, { uid: given }) => getFromKommo(service, { method: "GET", path: pathOf`/leads/unsorted/${given}` }),
  }),
  accept_unsorted: connectorOperation({
    kind: "create",
    docs: UNSORTED_DOCS,
    title: "Accept an incoming lead",
    description: "Turns an incoming lead into a lead and assigns it to a user.",
    params: z.object({
      uid,
      user_id: kommoId.nullish().meta({ title: "Assign to", ...optionsFrom("users") }),
      status_id: kommoId.nullish().meta({ title: "Stage", ...optionsFrom("stages") }),
    }),
    output: unsorted,
    example: { uid: "{{trigger.output.data.uid}}", user_id: 31 },
    run: (service, { uid: given, ...json }) =>
      getFromKommo(service, {
        method: "POST",
        path: pathOf`/leads/unsorted/${given}/accept`,
        json: withoutEmpty(json),
      }),
  }),
  decline_unsorted: connectorOperation({
    kind: "delete",
    docs: UNSORTED_DOCS,
    title: "Decline an incoming lead",
    description: "Declines an incoming lead, so it does not become a lead.",
    params: z.object({
      uid,
      user_id: kommoId.nullish().meta({ title: "Declined by", ...optionsFrom("users") }),
    }),
    output: unsorted,
    example: { uid: "{{trigger.output.data.uid}}" },
    run: (service, { uid: given, ...json }) =>
      getFromKommo(service, {
        method: "DELETE",
        path: pathOf`/leads/unsorted/${given}/decline`,
        json: withoutEmpty(json),
      }),
  }),
};

/** Defines an operation that lists a collection of the account with paging params only. */
function listing(path: string, title: string, description: string, docs: string): GuidedOperation {
  return connectorOperation({
    kind: "search",
    docs: DOCS + docs,
    title,
    description,
    params: z.object(pageParams),
    output: kommoPage,
    example: {},
    run: (service, params) => listFromKommo(service, path, params),
  });
}

const ACCOUNT: Readonly<Record<string, GuidedOperation>> = {
  list_pipelines: listing(
    "/leads/pipelines",
    "List pipelines",
    "Returns the pipelines with their stages.",
    "leads_pipelines",
  ),
  list_users: listing("/users", "List users", "Returns the users of the account with their permissions.", "users-api"),
  list_loss_reasons: listing(
    "/leads/loss_reasons",
    "List loss reasons",
    "Returns the reasons for losing a lead.",
    "leads-api",
  ),
  get_user: connectorOperation({
    kind: "read",
    docs: `${DOCS}users-api`,
    title: "Get a user",
    description: "Returns a user by their id.",
    params: z.object({ id: kommoId.meta({ title: "User", ...optionsFrom("users") }) }),
    output: kommoObject,
    example: { id: 31 },
    run: (service, { id: given }) => getFromKommo(service, { method: "GET", path: pathOf`/users/${given}` }),
  }),
  get_account: connectorOperation({
    kind: "read",
    docs: `${DOCS}account-info`,
    title: "Get the account",
    description: "Returns the name, country and currency of the account.",
    params: z.object({}),
    output: kommoObject,
    example: {},
    run: (service) => getFromKommo(service, { method: "GET", path: "/account" }),
  }),
  list_custom_fields: connectorOperation({
    kind: "search",
    docs: `${DOCS}custom-fields`,
    title: "List custom fields",
    description: "Returns the ids, types and options of the custom fields.",
    params: z.object({
      entity: z.enum(["leads", "contacts", "companies"]).meta({ title: "Object type" }),
      ...pageParams,
    }),
    output: kommoPage,
    example: { entity: "leads" },
    run: (service, { entity, ...params }) => listFromKommo(service, pathOf`/${entity}/custom_fields`, params),
  }),
  get_talk: connectorOperation({
    kind: "read",
    docs: `${DOCS}talks-api`,
    title: "Get a conversation",
    description: "Returns a conversation by its id.",
    params: z.object({ id: kommoId.meta({ title: "Id" }) }),
    output: z.looseObject({ talk_id: z.number() }),
    example: { id: 812 },
    run: (service, { id: given }) => getFromKommo(service, { method: "GET", path: pathOf`/talks/${given}` }),
  }),
  close_talk: connectorOperation({
    kind: "update",
    docs: `${DOCS}talks-api`,
    title: "Close a conversation",
    description: "Closes a conversation at once, or lets the bot ask for feedback first.",
    params: z.object({
      id: kommoId.meta({ title: "Id" }),
      force_close: z.boolean().nullish().meta({ title: "Skip the feedback bot" }),
    }),
    output: z.object({ id: z.number(), closed: z.literal(true) }),
    example: { id: 812, force_close: true },
    run: async (service, { id: given, force_close: force }) => {
      await callKommo(service, {
        method: "POST",
        path: pathOf`/talks/${given}/close`,
        json: { force_close: force ?? false },
      });
      return { id: given, closed: true };
    },
  }),
};

export const KOMMO_ACCOUNT_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  ...TASKS,
  ...UNSORTED,
  ...ACCOUNT,
};
