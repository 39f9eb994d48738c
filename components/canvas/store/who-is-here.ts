import { PRESENCE_GONE_MS, type WorkflowNotice } from "#lib/contract/web/presence";

type Actor = WorkflowNotice["actor"];

/** Another page that has the workflow open. */
export interface Visitor {
  actor: Actor;
  clientId: string;
  seenAtMs: number;
}

export interface Presence {
  visitors: readonly Visitor[];
  /** The last change that was not made here. */
  lastChange: { actor: Actor; revision: number; atMs: number } | null;
}

export const NOBODY: Presence = { visitors: [], lastChange: null };

/** What is known after a notice. The very same object where it says nothing new but the time. */
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

/** Without those who have not been heard of for long: a page that crashed says no goodbye. */
export function withoutGone(presence: Presence, nowMs: number): Presence {
  const visitors = presence.visitors.filter(({ seenAtMs }) => nowMs - seenAtMs < PRESENCE_GONE_MS);
  return visitors.length === presence.visitors.length ? presence : { ...presence, visitors };
}

/** The people there, each once, however many pages they have open. */
export function listPeople(presence: Presence): Actor[] {
  return [...new Map(presence.visitors.map(({ actor }) => [actor.id, actor])).values()].toSorted((a, b) =>
    a.name.localeCompare(b.name),
  );
}
