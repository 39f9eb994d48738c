"use client";

import { EVENT_TYPES, type EventType } from "#lib/contract/event/outbound-event";
import { EVENT_WORDS } from "@/components/features/outbound-events/event-words";
import { Checkbox } from "@/components/ui/forms/checkbox";

interface EventChoiceProps {
  legend: string;
  events: readonly EventType[];
  onChange: (events: EventType[]) => void;
  error?: string | undefined;
}

/** Lets the user select events. */
export function EventChoice({ legend, events, onChange, error }: EventChoiceProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {EVENT_TYPES.map((type) => (
          <Checkbox
            key={type}
            label={EVENT_WORDS[type]}
            description={<code className="font-mono">{type}</code>}
            isChecked={events.includes(type)}
            onChange={(isOn) =>
              onChange(EVENT_TYPES.filter((other) => (other === type ? isOn : events.includes(other))))
            }
          />
        ))}
      </div>
      {error === undefined ? null : (
        <p role="alert" className="text-dense text-err">
          {error}
        </p>
      )}
    </fieldset>
  );
}
