"use client";

import { Search, X } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
import { Input } from "@/components/ui/forms/input";

interface SearchFieldProps {
  value: string;
  /** Called 250 ms after the last key, or at once on Enter. */
  onChange: (value: string) => void;
  label: string;
  inputRef?: RefObject<HTMLInputElement | null>;
  isMono?: boolean;
  className?: string;
}

const SETTLE_MS = 250;

export function SearchField({ value, onChange, label, inputRef, isMono = false, className }: SearchFieldProps) {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  useEffect(() => {
    if (draft === value) return;
    const timer = setTimeout(() => onChange(draft), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [draft, value, onChange]);
  return (
    <search className={className}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onChange(draft);
        }}
      >
        <span className="relative block">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-text-3"
          />
          <Input
            ref={inputRef}
            isMono={isMono}
            type="search"
            aria-label={label}
            placeholder={label}
            value={draft}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape" && draft !== "") {
                event.preventDefault();
                onChange("");
              }
            }}
            className="pr-8 pl-8 [&::-webkit-search-cancel-button]:hidden"
          />
          {draft === "" ? null : <ClearButton onClick={() => onChange("")} />}
        </span>
      </form>
    </search>
  );
}

function ClearButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label="Clear search"
      onClick={onClick}
      className="absolute top-1/2 right-1 flex size-6 -translate-y-1/2 items-center justify-center rounded-1 text-text-3 hover:text-text"
    >
      <X aria-hidden className="size-3.5" />
    </button>
  );
}
