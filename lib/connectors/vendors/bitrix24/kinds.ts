import { z } from "zod";
import { collectPages } from "#lib/connectors/sdk/collect-pages";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { callBitrix24 } from "#lib/connectors/vendors/bitrix24/call-bitrix24";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/** Describes how the REST API handles one type of object: CRM field names are in capitals, those of tasks are not. */
export interface Kind {
  get: { method: string; param: string; takesSelect?: boolean };
  list: { method: string; ascending: string; descending: string };
  /** The field names in a returned object. */
  id: string;
  createdAt: string;
  changedAt: string;
  /** The name of `changedAt` in a filter and a sort order. */
  changedFilter: string;
  /** The fields requested by default; some are returned only when named. */
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
/** `tasks.*` methods wrap their result. */
const one = z.union([z.object({ task: row }).transform(({ task }) => task), row]);
const many = z.union([z.object({ tasks: z.array(row) }).transform(({ tasks }) => tasks), z.array(row)]);

export interface PageRequest {
  /** 0, 50, 100, …: a page holds 50 items. */
  start?: number | null | undefined;
  /** Follows whole pages until this many items are found; one page if empty. */
  max_items?: number | null | undefined;
}

export interface ListRequest extends PageRequest {
  filter?: object | null | undefined;
  order?: object | null | undefined;
  select?: readonly string[] | null | undefined;
}

export interface Listed {
  items: JsonObject[];
  /** The `start` of the next page; null on the last page. */
  next: number | null;
  total: number | null;
}

/**
 * Returns one page of objects, or several.
 * @throws StepError
 */
export async function listObjects(service: ServiceContext, kind: Kind, request: ListRequest): Promise<Listed> {
  const { filter, order } = request;
  const select = request.select && request.select.length > 0 ? request.select : kind.select;
  const params = { ...(filter ? { filter } : {}), ...(order ? { order } : {}), ...(select ? { select } : {}) };
  return listRows(service, kind.list.method, params, request);
}

/**
 * Returns one page of a method with pages of 50, or as many items as requested.
 * @throws StepError
 */
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
  throw new StepError("answer_unreadable", "The response can't be read: it does not match the Bitrix24 REST API");
}

/** Returns a field that is a string or a number; otherwise null. */
export function textOf(object: JsonObject, field: string): string | null {
  const value = object[field];
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}
