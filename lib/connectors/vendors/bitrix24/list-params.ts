import { z } from "zod";
import { maxItemsIn } from "#lib/connectors/sdk/collect-pages";
import { connectorOperation, type GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import { callBitrix24 } from "#lib/connectors/vendors/bitrix24/call-bitrix24";
import { numeric } from "#lib/support/numbers/numeric";

export const listParams = z.object({
  filter: z
    .record(z.string(), z.unknown())
    .nullish()
    .meta({ title: "Filter", description: 'For example, {"STAGE_ID": "NEW", ">=DATE_CREATE": "2026-01-05"}.' }),
  order: z
    .record(z.string(), z.string())
    .nullish()
    .meta({ title: "Sort by", description: 'For example, {"ID": "DESC"}.' }),
  select: z.array(z.string().min(1)).nullish().meta({ title: "Fields to return", description: "All if empty." }),
  start: numeric(z.number().int().min(0))
    .nullish()
    .meta({ title: "Start", description: "The next value of the previous page." }),
  max_items: maxItemsIn("pages of 50"),
});

/** The paging params of every method with pages of 50. */
export const pageShape = { start: listParams.shape.start, max_items: listParams.shape.max_items };

export const listOutput = z.object({
  items: z.array(z.looseObject({})),
  next: z.number().nullable().describe("The start of the next page."),
  total: z.number().nullable(),
});

interface Reach {
  method: string;
  params?: object;
  docs: string;
  title: string;
  description: string;
}

/** Defines a read operation for a method that needs no params from the user. */
export function reachOperation({ method, params = {}, docs, title, description }: Reach): GuidedOperation {
  return connectorOperation({
    kind: "read",
    docs,
    title,
    description,
    params: z.object({}),
    output: z.looseObject({}),
    example: {},
    run: async (service) => (await callBitrix24(service, method, params)).result,
  });
}
