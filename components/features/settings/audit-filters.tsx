"use client";

import type { AuditEventObject } from "#lib/contract/workspace/workspace";
import { useMemberPages } from "@/components/features/settings/use-member-pages";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/forms/select";
import { Toolbar } from "@/components/ui/lists/toolbar";
import { optionalTextCodec } from "@/components/ui/url-codecs";
import { AUDIT_NOUNS, describeAction, describeActor } from "@/components/words/audit-words";

/** The log's filters in the URL. */
export const CODECS = { actor: optionalTextCodec, action: optionalTextCodec };

interface AuditFiltersProps {
  actor: string | null;
  action: string | null;
  /** The events on the page, which include the names of keys and of users who left. */
  events: readonly AuditEventObject[];
  onChange: (next: { actor?: string | null; action?: string | null } | null) => void;
}

export function AuditFilters({ actor, action, events, onChange }: AuditFiltersProps) {
  const { items: members } = useMemberPages("list_members");
  const people = members.map(({ user_id: value, name: label }) => ({ value, label }));
  const actors = withChosen([...people, { value: "system", label: "Signalbox" }], actor, () => {
    const event = events.find((candidate) => candidate.actor.id === actor);
    return event === undefined ? "Person or key" : describeActor(event.actor);
  });
  const nouns = withChosen([...AUDIT_NOUNS], action, describeAction);
  return (
    <Toolbar>
      <Choice
        label="Who"
        all="Everyone"
        value={actor}
        options={actors}
        onChange={(next) => onChange({ actor: next })}
      />
      <Choice
        label="What"
        all="Everything"
        value={action}
        options={nouns}
        onChange={(next) => onChange({ action: next })}
      />
      {actor === null && action === null ? null : (
        <Button variant="ghost" onClick={() => onChange(null)}>
          Clear
        </Button>
      )}
    </Toolbar>
  );
}

interface Option {
  value: string;
  label: string;
}

/** The value in the URL may not be one of the listed options. */
function withChosen(options: Option[], chosen: string | null, labelOf: (value: string) => string): Option[] {
  if (chosen === null || options.some(({ value }) => value === chosen)) return options;
  return [...options, { value: chosen, label: labelOf(chosen) }];
}

interface ChoiceProps {
  label: string;
  all: string;
  value: string | null;
  options: readonly Option[];
  onChange: (value: string | null) => void;
}

function Choice({ label, all, value, options, onChange }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      className="w-40"
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? null : target.value)}
    >
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
  );
}
