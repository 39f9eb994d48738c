import { PRESENCE_GONE_MS, type WorkflowNotice } from "#lib/contract/workflow/presence";

type Actor = WorkflowNotice["actor"];

/** Another page that has the workflow open. */
export interface Visitor {
  actor: Actor;
  clientId: string;
  seenAtMs: number;
}

export interface Presence {
  visitors: readonly Visitor[];
  /** The last change that was not made on this page. */
  lastChange: { actor: Actor; revision: number; atMs: number } | null;
}

export const NOBODY: Presence = { visitors: [], lastChange: null };

/** Returns the presence after a notice, or the same object when the notice changes nothing but the time. */
export function hearNotice(
  presence: Presence,
  { kind, actor, client_id, revision }: WorkflowNotice,
  nowMs: number,
): Presence {
  if (kind === "changed") {
    return revision === null ? presence : { ...presence, lastChange: { actor, revision, atMs: nowMs } };
  }
  if (client_id === null) return presence;
  const others = presence.visitors.filter(({ clientId }) => clientId !== client_id);
  if (kind === "left") return { ...presence, visitors: others };
  return { ...presence, visitors: [...others, { actor, clientId: client_id, seenAtMs: nowMs }] };
}

/** Removes pages that have not reported for long, because a crashed page sends no goodbye. */
export function withoutGone(presence: Presence, nowMs: number): Presence {
  const visitors = presence.visitors.filter(({ seenAtMs }) => nowMs - seenAtMs < PRESENCE_GONE_MS);
  return visitors.length === presence.visitors.length ? presence : { ...presence, visitors };
}

/** Returns the people who are here, each once, regardless of the number of their pages. */
export function listPeople(presence: Presence): Actor[] {
  return [...new Map(presence.visitors.map(({ actor }) => [actor.id, actor])).values()].toSorted((a, b) =>
    a.name.localeCompare(b.name),
  );
}
