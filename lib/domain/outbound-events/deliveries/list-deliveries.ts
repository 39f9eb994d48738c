import type { EventDeliveryObject } from "#lib/contract/event/outbound-event";
import type { Page } from "#lib/contract/wire/page";
import {
  EVENT_DELIVERY_COLUMNS,
  EVENT_DELIVERY_ROW,
  presentEventDelivery,
} from "#lib/domain/outbound-events/deliveries/delivery-row";
import { type EndpointReference, getEndpoint } from "#lib/domain/outbound-events/endpoints/endpoint-row";
import { bigint, nullable, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";
import { prisma } from "#lib/platform/db/prisma";

const selectPage = defineStatement({
  name: "list_event_deliveries",
  params: {
    workspaceId: uuid,
    endpointId: uuid,
    afterTime: nullable(timestamptz),
    afterId: nullable(uuid),
    limit: bigint,
  },
  row: EVENT_DELIVERY_ROW,
  sql: `select ${EVENT_DELIVERY_COLUMNS} from event_deliveries d
        where d.workspace_id = $1 and d.endpoint_id = $2 and ($3::timestamptz is null or (d.created_at, d.id) < ($3, $4))
        order by d.created_at desc, d.id desc limit $5`,
  isPrepared: false,
});

/**
 * Lists the log of one endpoint, newest first.
 * @throws ApiError NOT_FOUND, BAD_REQUEST for a cursor of another list
 */
export async function listEventDeliveries(
  reference: EndpointReference,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<EventDeliveryObject>> {
  await getEndpoint(prisma(), reference);
  const filters = { list: "event_deliveries", ...reference };
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, filters);
  const rows = await selectPage.all(db(), {
    ...reference,
    afterTime: after?.createdAt ?? null,
    afterId: after?.id ?? null,
    limit: page.limit + 1,
  });
  return toPage(rows, page.limit, filters, (row) => ({ createdAt: row.created_at, id: row.id }), presentEventDelivery);
}
