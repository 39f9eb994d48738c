"use client";

import { ChevronDown, ChevronUp, Search } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";

interface JsonSearchProps {
  label: string;
  text: string;
  /** The index of the current match. */
  at: number;
  count: number;
  /** The maximum number of matches. */
  max: number;
  onChange: (next: { text: string; at: number }) => void;
}

/** Finds names and values; Enter goes to the next match, Shift+Enter to the previous one. */
export function JsonSearch({ label, text, at, count, max, onChange }: JsonSearchProps) {
  const go = (step: number) => (count === 0 ? undefined : onChange({ text, at: (at + step + count) % count }));
  return (
    <search className="flex items-center gap-1 border-b border-border px-2 py-0.5">
      <Search aria-hidden className="size-3.5 shrink-0 text-text-3" />
      <input
        type="search"
        aria-label={label}
        placeholder="Search names and values"
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange({ text: event.target.value, at: 0 })}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          go(event.shiftKey ? -1 : 1);
        }}
        className="h-7 min-w-0 flex-1 bg-transparent px-1 text-dense placeholder:text-text-3 max-sm:text-[16px]"
      />
      <span role="status" className="shrink-0 text-dense text-text-3">
        {text === "" ? "" : count === 0 ? "No matches" : `${at + 1} of ${count === max ? `${max}+` : count}`}
      </span>
      <IconButton icon={ChevronUp} label="Previous match" size="sm" disabled={count < 2} onClick={() => go(-1)} />
      <IconButton icon={ChevronDown} label="Next match" size="sm" disabled={count < 2} onClick={() => go(1)} />
    </search>
  );
}
