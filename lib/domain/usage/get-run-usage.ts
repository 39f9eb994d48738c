import { isFailure } from "#lib/contract/run/run";
import type { RunUsageObject, UsageOfKey, UsageOfWorkflow } from "#lib/contract/run/run-usage";
import { readDays } from "#lib/domain/usage/read-days";
import { countByStatus, deriveDurations, groupUsage, type UsageGroup } from "#lib/domain/usage/usage-groups";
import { array, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { prisma } from "#lib/platform/db/prisma";

const SHOWN_MAX = 20;

interface UsageRange {
  /** YYYY-MM-DD, both included; default to the last thirty days. */
  from?: string | undefined;
  to?: string | undefined;
  /** An IANA time zone; defaults to the workspace's. */
  timeZone?: string | undefined;
}

/** Returns the runs of a workspace over some of the last thirty days: by day, by workflow, by key and by error. */
export async function getRunUsage(workspaceId: string, range: UsageRange = {}): Promise<RunUsageObject> {
  const timeZone = range.timeZone ?? (await findTimeZone(workspaceId));
  const { from: first = "", to: last = "9999" } = range;
  const days = (await readDays(workspaceId, timeZone)).filter(({ day }) => day >= first && day <= last);
  const groups = days.flatMap((day) => day.groups);
  const errors = groupUsage(groups, ({ status, code }) => (status !== "open" && isFailure(status) ? code : null));
  return {
    time_zone: timeZone,
    days: days.map(({ day, from, to, groups: ofDay }) => ({
      day,
      from: from.toISOString(),
      to: to.toISOString(),
      counts: countByStatus(ofDay),
      ...deriveDurations(ofDay),
    })),
    counts: countByStatus(groups),
    ...deriveDurations(groups),
    workflows: await usageOfWorkflows(workspaceId, groups),
    keys: await usageOfKeys(workspaceId, groups),
    errors: errors.slice(0, SHOWN_MAX).map(({ key, runs }) => ({ code: key, runs })),
  };
}

async function findTimeZone(workspaceId: string): Promise<string> {
  const workspace = await prisma().workspace.findUnique({ where: { id: workspaceId }, select: { timeZone: true } });
  return workspace?.timeZone ?? "UTC";
}

const selectNames = defineStatement({
  name: "name_used_workflows",
  params: { workspaceId: uuid, ids: array(uuid) },
  row: { id: uuid, name: text, slug: nullable(text) },
  sql: `select w.id, w.name, a.slug from workflows w left join actions a on a.workflow_id = w.id
        where w.workspace_id = $1 and w.id = any($2)`,
});

/** Anything deleted meanwhile has no row anymore, and is left out. */
async function usageOfWorkflows(workspaceId: string, groups: readonly UsageGroup[]): Promise<UsageOfWorkflow[]> {
  const busiest = groupUsage(groups, (group) => group.workflow_id).slice(0, SHOWN_MAX);
  const rows = await selectNames.all(db(), { workspaceId, ids: busiest.map(({ key }) => key) });
  const named = new Map(rows.map((row) => [row.id, row]));
  return busiest.flatMap(({ key, groups: own }) => {
    const row = named.get(key);
    if (!row) return [];
    const counts = countByStatus(own);
    return [{ workflow_id: key, name: row.name, action_slug: row.slug, counts, ...deriveDurations(own) }];
  });
}

async function usageOfKeys(workspaceId: string, groups: readonly UsageGroup[]): Promise<UsageOfKey[]> {
  const busiest = groupUsage(groups, (group) => group.api_key_id).slice(0, SHOWN_MAX);
  const rows = await prisma().apiKey.findMany({
    where: { workspaceId, id: { in: busiest.map(({ key }) => key) } },
    select: { id: true, name: true, prefix: true },
  });
  const named = new Map(rows.map((row) => [row.id, row]));
  return busiest.flatMap(({ key, groups: own }) => {
    const row = named.get(key);
    return row ? [{ key_id: key, name: row.name, prefix: row.prefix, counts: countByStatus(own) }] : [];
  });
}
