import { env } from "#lib/config/env";
import { prisma } from "#lib/db/prisma";

/** What starts an event_driven workflow once it is published; a webhook is reached at its url. */
interface SubscriptionObject {
  id: string;
  kind: string;
  url?: string;
}

export async function listSubscriptions(workspaceId: string, workflowId: string): Promise<SubscriptionObject[]> {
  const rows = await prisma().triggerSubscription.findMany({
    where: { workspaceId, workflowId, isActive: true },
    select: { id: true, kind: true },
  });
  const base = env().WEBHOOK_BASE_URL ?? env().PUBLIC_BASE_URL;
  return rows.map(({ id, kind }) => (kind === "webhook" ? { id, kind, url: `${base}/webhooks/${id}` } : { id, kind }));
}
