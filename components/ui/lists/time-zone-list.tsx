"use client";

import { clsx } from "clsx";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { Input } from "@/components/ui/forms/input";
import { listTimeZones, searchTimeZones } from "@/components/ui/forms/list-time-zones";
import { keepInView } from "@/components/ui/keep-in-view";

interface TimeZoneListProps {
  value: string;
  first: readonly string[];
  /** When the offsets hold. */
  atMs: number;
  onChoose: (zone: string) => void;
}

const PAGE = 8;

/** A search and a list of the time zones that it finds, as a combobox with a listbox. */
export function TimeZoneList({ value, first, atMs, onChoose }: TimeZoneListProps) {
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const zones = useMemo(() => listTimeZones(atMs, value, ...first), [atMs, value, first]);
  const found = useMemo(() => searchTimeZones(zones, query), [zones, query]);
  // This code can load after the popover took the focus.
  useEffect(() => input.current?.focus(), []);
  function onKeyDown(event: KeyboardEvent) {
    const distance = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }[event.key];
    const chosen = found[active];
    if (distance !== undefined) setActive(Math.min(Math.max(active + distance, 0), Math.max(found.length - 1, 0)));
    else if (event.key === "Enter" && chosen !== undefined) onChoose(chosen.value);
    else return;
    event.preventDefault();
  }
  return (
    <div className="flex flex-col gap-2">
      <Input
        ref={input}
        role="combobox"
        aria-label="Search time zones"
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${listId}-${active}` : undefined}
        placeholder="City or offset"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label="Time zones" className="-mx-1 max-h-60 overflow-y-auto">
        {found.map((zone, index) => (
          <button
            key={zone.value}
            type="button"
            id={`${listId}-${index}`}
            ref={index === active ? keepInView : undefined}
            role="option"
            tabIndex={-1}
            aria-selected={zone.value === value}
            onPointerMove={() => setActive(index)}
            onClick={() => onChoose(zone.value)}
            className={clsx(
              "flex w-full items-baseline gap-2 rounded-1 px-2 py-1 text-left [contain-intrinsic-size:auto_28px] [content-visibility:auto]",
              index === active && "bg-sunken",
              zone.value === value && "font-medium",
            )}
          >
            <span className="min-w-0 flex-1">{zone.label}</span>
            <span className="shrink-0 text-dense text-text-3 tabular-nums">{zone.offset}</span>
          </button>
        ))}
      </div>
      {found.length === 0 ? <p className="text-dense text-text-3">No time zone matches.</p> : null}
    </div>
  );
}
