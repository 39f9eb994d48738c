import { z } from "zod";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { OptionsLoader } from "#lib/connectors/sdk/page-options";
import { callBitrix24 } from "#lib/connectors/vendors/bitrix24/call-bitrix24";
import { read } from "#lib/connectors/vendors/bitrix24/kinds";
import type { FieldOption } from "#lib/contract/action/field-options";
import { numeric } from "#lib/support/numbers/numeric";

const word = z.string().nullish();
const users = z.array(
  z.looseObject({
    ID: numeric(z.number()),
    NAME: word,
    LAST_NAME: word,
    EMAIL: word,
    WORK_POSITION: word,
    ACTIVE: z.unknown().optional(),
  }),
);
const statuses = z.array(z.looseObject({ STATUS_ID: z.string(), ENTITY_ID: word, NAME: word }));
const categories = z.object({ categories: z.array(z.looseObject({ id: numeric(z.number()), name: z.string() })) });

/** Deals in pipeline 0 use the stages of DEAL_STAGE, those in pipeline 1 use DEAL_STAGE_1. */
const DEAL_STAGE = /^DEAL_STAGE(?:_(\d+))?$/;

/** https://apidocs.bitrix24.com/api-reference/crm/status/crm-status-list.html */
async function listStatuses(service: ServiceContext, entityId: string | null) {
  const filter = entityId === null ? {} : { filter: { ENTITY_ID: entityId } };
  const { result } = await callBitrix24(service, "crm.status.list", { ...filter, order: { SORT: "ASC" } });
  return read(statuses, result);
}

function statusesOf(entityId: string): OptionsLoader {
  return async (service) => {
    const found = await listStatuses(service, entityId);
    return { options: found.map(({ STATUS_ID: id, NAME: name }) => ({ value: id, label: name ?? "" })) };
  };
}

async function listCategories(service: ServiceContext) {
  const { result } = await callBitrix24(service, "crm.category.list", { entityTypeId: 2 });
  return read(categories, result).categories;
}

async function dealStages(service: ServiceContext, categoryId: string | undefined): Promise<FieldOption[]> {
  if (categoryId !== undefined) {
    const found = await listStatuses(service, categoryId === "0" ? "DEAL_STAGE" : `DEAL_STAGE_${categoryId}`);
    return found.map(({ STATUS_ID: id, NAME: name }) => ({ value: id, label: name ?? "" }));
  }
  const [found, pipelines] = await Promise.all([listStatuses(service, null), listCategories(service)]);
  const names = new Map(pipelines.map(({ id, name }) => [id, name]));
  return found.flatMap(({ STATUS_ID: id, NAME: name, ENTITY_ID: entity }) => {
    const stage = DEAL_STAGE.exec(entity ?? "");
    const pipeline = names.get(Number(stage?.[1] ?? 0));
    return stage ? [{ value: id, label: name ?? "", ...(pipeline ? { hint: pipeline } : {}) }] : [];
  });
}

export const BITRIX24_OPTIONS: Readonly<Record<string, OptionsLoader>> = {
  // https://apidocs.bitrix24.com/api-reference/user/user-get.html and user-search.html: pages of 50.
  users: async (service, { query, cursor }) => {
    const start = cursor === null ? {} : { start: Number(cursor) };
    const isSearch = query !== "";
    // FIND can't be combined with another field.
    const filter = { FILTER: isSearch ? { FIND: query } : { ACTIVE: true } };
    const { result, next } = await callBitrix24(service, isSearch ? "user.search" : "user.get", {
      ...filter,
      ...start,
    });
    const active = read(users, result).filter((user) => user.ACTIVE !== false);
    const options = active.map((user) => {
      const label = [user.NAME, user.LAST_NAME].filter(Boolean).join(" ");
      return { value: user.ID, label, hint: user.WORK_POSITION || user.EMAIL || "" };
    });
    return { options, next: next ? String(next) : null, isSearched: isSearch };
  },
  pipelines: async (service) => ({
    options: (await listCategories(service)).map(({ id, name }) => ({ value: id, label: name })),
  }),
  deal_stages: async (service, { params }) => ({ options: await dealStages(service, params.category_id) }),
  lead_stages: statusesOf("STATUS"),
  sources: statusesOf("SOURCE"),
};
