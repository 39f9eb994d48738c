"use client";

import { Bot } from "lucide-react";
import type { ReactNode } from "react";
import { useDraft } from "@/components/canvas/store/draft-context";
import { listPeople } from "@/components/canvas/store/who-is-here";
import { Tooltip } from "@/components/ui/tooltip";

const SHOWN_MAX = 3;

/**
 * Shows who else has this workflow open, and the agent that changed it last. Renders nothing while the user is alone.
 */
export function PresenceList() {
  const presence = useDraft((draft) => draft.presence);
  const people = listPeople(presence);
  const agent = presence.lastChange?.actor.type === "api_key" ? presence.lastChange.actor : null;
  if (people.length === 0 && agent === null) return null;
  return (
    <ul aria-label="Also viewing" className="hidden items-center -space-x-1 md:flex">
      {people.slice(0, SHOWN_MAX).map(({ id, name }) => (
        <li key={id}>
          <Mark label={`${name} has this workflow open`}>{initials(name)}</Mark>
        </li>
      ))}
      {people.length > SHOWN_MAX ? (
        <li>
          <Mark
            label={people
              .slice(SHOWN_MAX)
              .map(({ name }) => name)
              .join(", ")}
          >
            +{people.length - SHOWN_MAX}
          </Mark>
        </li>
      ) : null}
      {agent === null ? null : (
        <li>
          <Mark label={`${agent.name} changed this workflow`}>
            <Bot aria-hidden className="size-3.5" />
          </Mark>
        </li>
      )}
    </ul>
  );
}

function Mark({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Tooltip content={label} isName>
      <button
        type="button"
        aria-label={label}
        className="flex size-6 cursor-default items-center justify-center rounded-full border border-app bg-accent-weak text-micro font-semibold text-accent"
      >
        {children}
      </button>
    </Tooltip>
  );
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? "")
    .join("");
}
