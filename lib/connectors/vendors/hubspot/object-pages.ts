import { z } from "zod";
import { collectPages } from "#lib/connectors/sdk/collect-pages";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { StepError } from "#lib/contract/run/step-error";
import { numeric } from "#lib/support/numbers/numeric";

/**
 * The version of HubSpot's APIs, in the paths of https://github.com/HubSpot/HubSpot-public-api-spec-collection. A version
 * is supported for 18 months: https://developers.hubspot.com/docs/developer-tooling/platform/versioning
 */
export const HUBSPOT_VERSION = "2026-03";

/** A CRM object as HubSpot returns it. */
export const crmObject = z.looseObject({
  id: z.string(),
  properties: z.record(z.string(), z.string().nullable()),
  createdAt: z.string(),
  updatedAt: z.string(),
  archived: z.boolean().optional(),
});

const paging = z.looseObject({ next: z.looseObject({ after: z.string() }).optional() }).optional();

/** Defines a page of these items. */
export function crmPageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ results: z.array(item), paging });
}

/** A page of anything, as far as following pages needs it. */
const answeredPage = crmPageOf(z.looseObject({})).extend({ total: z.int().optional() });

export const after = z
  .string()
  .nullish()
  .meta({ title: "After", description: "The paging.next.after of the previous page." });

/** The size of a page, up to what the method allows. */
export function pageSize(max: number) {
  return numeric(z.number().int().min(1).max(max)).nullish().meta({ title: "Page size" });
}

interface PageRequest {
  limit?: number | null | undefined;
  after?: string | null | undefined;
  max_items?: number | null | undefined;
}

/**
 * Returns one page in HubSpot's format. With `max_items`, follows pages and returns all items as one page.
 * @throws StepError
 */
export async function listCrmPages(
  service: ServiceContext,
  { max_items: limit, ...first }: PageRequest,
  pageMax: number,
  ask: (query: Omit<PageRequest, "max_items">) => Promise<unknown>,
): Promise<unknown> {
  if (!limit) return ask(first);
  const size = Math.min(first.limit ?? pageMax, pageMax);
  let total: number | undefined;
  const from = first.after ?? "";
  const { items, next } = await collectPages(service, { limit, from }, async (after, wanted) => {
    const parsed = answeredPage.safeParse(await ask({ limit: Math.min(size, wanted), after: after || null }));
    if (!parsed.success)
      throw new StepError("answer_unreadable", "The response can't be read: it is not a page of objects");
    total ??= parsed.data.total;
    return { items: parsed.data.results, next: parsed.data.paging?.next?.after ?? null };
  });
  const more = next === null ? {} : { paging: { next: { after: next } } };
  return { results: items, ...more, ...(total === undefined ? {} : { total }) };
}

export function present(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
}
