"use client";

import { TriangleAlert } from "lucide-react";
import { SECOND_FACTORS, SESSION_METHODS, SIGN_IN_PROVIDER_NAMES } from "#lib/contract/account/account";
import type { AuditEventObject } from "#lib/contract/workspace/workspace";
import { formatCount } from "#lib/support/format/format-number";
import { describeAction } from "@/components/words/audit-words";
import { RelativeTime } from "@/components/words/relative-time";
import { describeUserAgent } from "@/components/words/user-agent";

/** Security events in words. */
export function ActivityList({ events }: { events: readonly AuditEventObject[] }) {
  if (events.length === 0) {
    return <p className="text-text-2">Nothing is recorded yet. Your next sign-in appears here.</p>;
  }
  return (
    <ul aria-label="Security activity" className="divide-y divide-border rounded-3 border border-border bg-surface">
      {events.map((event) => (
        <ActivityItem key={event.event_id} event={event} />
      ))}
    </ul>
  );
}

function ActivityItem({ event }: { event: AuditEventObject }) {
  const details = describeAccountEvent(event);
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1 px-3 py-2.5">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex items-center gap-2">
          {isFailedAttempt(event) ? <TriangleAlert aria-hidden className="size-4 shrink-0 text-warn" /> : null}
          {describeAction(event.action)}
        </p>
        {details === "" ? null : <p className="text-dense text-text-2 [overflow-wrap:anywhere]">{details}</p>}
      </div>
      <span className="text-dense text-text-2">
        <RelativeTime at={event.at} />
      </span>
    </li>
  );
}

const METHOD_WORDS: Record<(typeof SESSION_METHODS)[number] | (typeof SECOND_FACTORS)[number], string> = {
  password: "password",
  passkey: "passkey",
  authenticator: "authenticator app",
  recovery_code: "recovery code",
  provider: "the provider's second factor",
  ...SIGN_IN_PROVIDER_NAMES,
};
const METHODS = [...SESSION_METHODS, ...SECOND_FACTORS];

/**
 * Formats what is known about an event of the user's account: "With password and passkey · Firefox on Linux ·
 * 192.0.2.7". Returns an empty string if nothing is.
 */
function describeAccountEvent(event: AuditEventObject): string {
  const { method, second_factor: secondFactor, provider, email, from, to, count, user_agent: browser } = event.details;
  const methods = [method, secondFactor].map(methodWords).filter((words) => words !== null);
  const isPasskey = event.action.startsWith("user.passkey_");
  const parts = [
    methods.length === 0 ? null : `With ${methods.join(" and ")}`,
    methodWords(provider) ?? textOf(provider),
    textOf(email),
    isPasskey ? textOf(event.details.name) : null,
    textOf(from) !== null && textOf(to) !== null ? `${from} → ${to}` : null,
    typeof count === "number" ? formatCount(count, "session") : null,
    textOf(browser) === null ? null : describeUserAgent(String(browser)),
    textOf(event.details.address),
    describeOther(event),
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

/** Whether the event is an attempt that failed. No one knows who made it. */
function isFailedAttempt({ action }: AuditEventObject): boolean {
  return action === "user.sign_in_failed" || action === "user.second_factor_failed";
}

/** Names who changed the account if it was not its user. */
function describeOther(event: AuditEventObject): string | null {
  const { actor, object_id: userId } = event;
  if (isFailedAttempt(event) || actor.id === userId) return null;
  if (event.action === "user.sessions_ended" && textOf(event.details.provider) !== null) return "By the provider";
  return actor.type === "system" ? "By the operator" : `By ${actor.name ?? "someone else"}`;
}

function methodWords(value: unknown): string | null {
  const method = METHODS.find((known) => known === value);
  return method === undefined ? null : METHOD_WORDS[method];
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
