"use client";

import { ShieldAlert, X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { APPROVAL_REMOVED, BREAKING_CHANGE } from "#lib/contract/event/outbound-event";
import type { AuditEventObject } from "#lib/contract/workspace/workspace";
import { formatCount } from "#lib/support/format/format-number";
import { useSession } from "@/components/shell/session-context";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/words/relative-time";

const SHOWN_MS = 7 * 86_400_000;
const SHOWN = 3;

interface NoticeListProps {
  events: readonly AuditEventObject[];
  /** When the events were read. */
  readAt: number;
}

/** The events among them that are notices, and were not dismissed. */
export function NoticeList({ events, readAt }: NoticeListProps) {
  const { workspace } = useSession();
  const [dismissed, dismiss] = useDismissed(workspace.workspace_id);
  if (dismissed === null) return null;
  const since = readAt - SHOWN_MS;
  const notices = events.filter(
    (event) => describe(event) !== null && Date.parse(event.at) > since && !dismissed.includes(event.event_id),
  );
  if (notices.length === 0) return null;
  const more = notices.length - SHOWN;
  return (
    <section aria-label="Notices" className="flex flex-col border-b border-border bg-warn-bg px-4 py-1">
      {notices.slice(0, SHOWN).map((event) => (
        <div key={event.event_id} role="status" className="flex items-center gap-2 py-1">
          <ShieldAlert aria-hidden className="size-3.5 shrink-0 text-warn" />
          <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            {describe(event)}{" "}
            <Link href={`/workflows/${event.object_id ?? ""}/versions`} className="link">
              Compare versions
            </Link>{" "}
            <RelativeTime at={event.at} className="text-dense text-text-2" />
          </p>
          <IconButton icon={X} size="sm" label="Dismiss" onClick={() => dismiss(event.event_id)} />
        </div>
      ))}
      {more > 0 ? <p className="pb-1 text-dense text-text-2">{formatCount(more, "more notice")}</p> : null}
    </section>
  );
}

/** Returns the notice in words, or null for an event that is none. */
function describe({ action, actor, details }: AuditEventObject): string | null {
  const key = `The API key ${actor.name ?? ""}`.trim();
  const version = `version ${String(details.version)} of ${String(details.action_slug)}`;
  if (action === BREAKING_CHANGE) {
    return `${key} published ${version}, which breaks callers. Changed fields: ${listOf(details.fields)}.`;
  }
  if (action === APPROVAL_REMOVED) {
    return [
      `${key} published ${version}, which has weaker approvals.`,
      ...sentence("Removed approval steps", details.steps),
      ...sentence("Steps that no longer wait for an approval", details.unguarded_steps),
    ].join(" ");
  }
  return null;
}

function sentence(what: string, steps: unknown): string[] {
  const names = listOf(steps);
  return names === "" ? [] : [`${what}: ${names}.`];
}

function listOf(value: unknown): string {
  return Array.isArray(value) ? value.join(", ") : "";
}

const listeners = new Set<() => void>();
/** Notices are shown for a week, so a browser never has to remember more. */
const KEPT = 100;

/** Returns the ids of the notices that the user dismissed in this browser, or null until that is known. */
function useDismissed(workspaceId: string): [readonly string[] | null, (id: string) => void] {
  const name = `signalbox.dismissed-notices.${workspaceId}`;
  const stored = useSyncExternalStore<string | null>(
    subscribe,
    () => localStorage.getItem(name) ?? "",
    () => null,
  );
  const ids = stored === null ? null : stored.split(" ").filter((id) => id !== "");
  function dismiss(id: string) {
    localStorage.setItem(name, [id, ...(ids ?? [])].slice(0, KEPT).join(" "));
    for (const listener of listeners) listener();
  }
  return [ids, dismiss];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
