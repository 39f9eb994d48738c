import { z } from "zod";
import { collectPages } from "#lib/connectors/sdk/collect-pages";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { callBitrix24 } from "#lib/connectors/vendors/bitrix24/call-bitrix24";
import type { JsonObject } from "#lib/contract/json-schema";
import { StepError } from "#lib/contract/step-error";

/** How the REST API calls one kind of object: CRM fields are in capitals, those of tasks are not. */
export interface Kind {
  get: { method: string; param: string; takesSelect?: boolean };
  list: { method: string; ascending: string; descending: string };
  /** Fields of an object as it is answered. */
  id: string;
  createdAt: string;
  changedAt: string;
  /** The last of them as a filter and an order call it. */
  changedFilter: string;
  /** What is asked for where nothing else is: some fields come only by their name. */
  select?: readonly string[];
}

function crmKind(name: string, select: readonly string[]): Kind {
  return {
    get: { method: `crm.${name}.get`, param: "id" },
    list: { method: `crm.${name}.list`, ascending: "ASC", descending: "DESC" },
    id: "ID",
    createdAt: "DATE_CREATE",
    changedAt: "DATE_MODIFY",
    changedFilter: "DATE_MODIFY",
    select,
  };
}

const ALL = ["*", "UF_*"];
const WITH_CONTACTS = [...ALL, "PHONE", "EMAIL"];

export const DEAL = crmKind("deal", ALL);
export const LEAD = crmKind("lead", WITH_CONTACTS);
export const CONTACT = crmKind("contact", WITH_CONTACTS);
export const COMPANY = crmKind("company", WITH_CONTACTS);
export const TASK: Kind = {
  get: { method: "tasks.task.get", param: "taskId", takesSelect: true },
  list: { method: "tasks.task.list", ascending: "asc", descending: "desc" },
  id: "id",
  createdAt: "createdDate",
  changedAt: "changedDate",
  changedFilter: "CHANGED_DATE",
  select: [
    ...["ID", "TITLE", "DESCRIPTION", "STATUS", "PRIORITY", "DEADLINE", "CREATED_BY", "CREATED_DATE", "CHANGED_DATE"],
    ...["CLOSED_DATE", "RESPONSIBLE_ID", "GROUP_ID", "PARENT_ID", "UF_CRM_TASK"],
  ],
};

const row = z.looseObject({});
/** `tasks.*` wraps what it answers. */
const one = z.union([z.object({ task: row }).transform(({ task }) => task), row]);
const many = z.union([z.object({ tasks: z.array(row) }).transform(({ tasks }) => tasks), z.array(row)]);

export interface PageRequest {
  /** 0, 50, 100, …: pages hold 50. */
  start?: number | null | undefined;
  /** Follows pages until there are so many objects, in whole pages; one page when left out. */
  max_items?: number | null | undefined;
}

export interface ListRequest extends PageRequest {
  filter?: object | null | undefined;
  order?: object | null | undefined;
  select?: readonly string[] | null | undefined;
}

export interface Listed {
  items: JsonObject[];
  /** `start` of the next page; null on the last. */
  next: number | null;
  total: number | null;
}

/** A page of objects, or several. @throws StepError */
export async function listObjects(service: ServiceContext, kind: Kind, request: ListRequest): Promise<Listed> {
  const { filter, order } = request;
  const select = request.select && request.select.length > 0 ? request.select : kind.select;
  const params = { ...(filter ? { filter } : {}), ...(order ? { order } : {}), ...(select ? { select } : {}) };
  return listRows(service, kind.list.method, params, request);
}

/** What a method that gives pages of 50 lists: one of them, or as many as are wanted. @throws StepError */
export async function listRows(
  service: ServiceContext,
  method: string,
  params: object,
  { start, max_items: limit }: PageRequest,
): Promise<Listed> {
  let total: number | null = null;
  const fetchPage = async (from: number) => {
    const answer = await callBitrix24(service, method, { ...params, ...(from > 0 ? { start: from } : {}) });
    total = answer.total ?? null;
    return { items: read(many, answer.result), next: answer.next ?? null };
  };
  const from = start ?? 0;
  const listed = limit ? await collectPages(service, { limit, from }, fetchPage) : await fetchPage(from);
  return { ...listed, total };
}

/** @throws StepError VALIDATION_ERROR for an unknown id */
export async function getObject(
  service: ServiceContext,
  { get, select }: Pick<Kind, "get" | "select">,
  id: string | number,
): Promise<JsonObject> {
  const { result } = await callBitrix24(service, get.method, {
    [get.param]: id,
    ...(get.takesSelect ? { select } : {}),
  });
  return read(one, result);
}

export function read<Schema extends z.ZodType>(schema: Schema, result: unknown): z.output<Schema> {
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new StepError("answer_unreadable", "The answer cannot be read: it is not what the REST API says");
}

/** A field that is a text or a number; null where it is neither. */
export function textOf(object: JsonObject, field: string): string | null {
  const value = object[field];
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}
