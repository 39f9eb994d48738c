import { triggerUrl } from "#lib/domain/workflows/webhook-url";
import { prisma } from "#lib/platform/db/prisma";

/** Lists what starts an event_driven workflow once it is published; a webhook and a form have a url. */
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
  return rows.map(({ id, kind }) => {
    const url = triggerUrl(kind, id);
    return url === null ? { id, kind } : { id, kind, url };
  });
}
