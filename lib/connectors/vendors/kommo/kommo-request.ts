import { z } from "zod";
import type { ServiceRequest } from "#lib/connectors/sdk/call-service";
import { collectPages } from "#lib/connectors/sdk/collect-pages";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { errorWords } from "#lib/connectors/sdk/error-words";
import { callKommo } from "#lib/connectors/vendors/kommo/call-kommo";
import { nestedQuery } from "#lib/connectors/vendors/kommo/fields";
import { StepError } from "#lib/contract/run/step-error";
import { AnsweredError } from "#lib/core/engine/answered-error";

/** An object as the API returns it. */
export const kommoObject = z.looseObject({ id: z.number() });

/** A page of objects; `has_more` says whether there is a next page. */
export const kommoPage = z.object({ items: z.array(z.looseObject({})), page: z.int(), has_more: z.boolean() });

const hal = z.object({
  _links: z.object({ next: z.unknown().optional() }).optional(),
  _embedded: z.record(z.string(), z.array(z.looseObject({}))),
});

export interface ListParams {
  page?: number | null | undefined;
  limit?: number | null | undefined;
  max_items?: number | null | undefined;
  query?: string | null | undefined;
  filter?: Record<string, unknown> | null | undefined;
  order?: Record<string, string> | null | undefined;
  with?: readonly string[] | null | undefined;
}

const PAGE_MAX = 250;

/**
 * Returns one page of a collection. With `max_items`, returns whole pages, starting at that page, until there are
 * enough items. All pages have the same size, because a page number refers to different objects at another size.
 * @throws StepError
 */
export async function listFromKommo(
  service: ServiceContext,
  path: string,
  { max_items: limit, ...params }: ListParams,
): Promise<z.output<typeof kommoPage>> {
  if (!limit) return listPage(service, path, params);
  const asked = { ...params, limit: params.limit ?? PAGE_MAX };
  const from = params.page ?? 1;
  let last = from;
  const { items, next } = await collectPages(service, { limit, from }, async (page) => {
    const listed = await listPage(service, path, { ...asked, page });
    last = page;
    return { items: listed.items, next: listed.has_more ? page + 1 : null };
  });
  return { items, page: next === null ? last : next - 1, has_more: next !== null };
}

/** https://www.kommo.com/developers/content/api_v4/leads-api/: an empty collection is 204. */
async function listPage(
  service: ServiceContext,
  path: string,
  { filter, order, with: expand, ...query }: Omit<ListParams, "max_items">,
): Promise<z.output<typeof kommoPage>> {
  const answer = await callKommo(service, {
    method: "GET",
    path,
    query: {
      ...query,
      with: expand && expand.length > 0 ? expand.join(",") : null,
      ...nestedQuery("filter", filter),
      ...nestedQuery("order", order),
    },
  });
  const page = query.page ?? 1;
  if (answer === null) return { items: [], page, has_more: false };
  const { _embedded, _links } = readHal(answer);
  return { items: Object.values(_embedded)[0] ?? [], page, has_more: _links?.next !== undefined };
}

/**
 * Creates or changes one object with an API that takes many.
 * @returns that object in the response
 * @throws StepError
 */
export async function writeOneToKommo(
  service: ServiceContext,
  request: Pick<ServiceRequest, "method" | "path"> & { one: object },
): Promise<unknown> {
  const { one, ...rest } = request;
  const answer = await callKommo(service, { ...rest, json: [one] });
  const { errors = [], ...written } = readHal(answer)._embedded;
  const [refused] = errors;
  if (refused) {
    const words = errorWords({ body: Buffer.from(JSON.stringify(refused)) }) ?? JSON.stringify(refused).slice(0, 300);
    throw new AnsweredError("service_refused", `Kommo did not write the object: ${words}`);
  }
  const first = Object.values(written)[0]?.[0];
  if (first) return first;
  throw new StepError("answer_unreadable", "The response can't be read: it does not contain the written object");
}

function readHal(answer: unknown): z.output<typeof hal> {
  const parsed = hal.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new StepError("answer_unreadable", "The response can't be read: it does not match the Kommo API");
}
