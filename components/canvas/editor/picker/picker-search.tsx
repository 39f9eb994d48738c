"use client";

import { ChevronLeft } from "lucide-react";
import type { KeyboardEvent, Ref } from "react";
import type { PickerState } from "@/components/canvas/editor/picker/use-picker";
import { AppMark } from "@/components/features/connections/app-mark";

interface PickerSearchProps {
  ref: Ref<HTMLInputElement>;
  listId: string;
  activeId: string | undefined;
  picker: PickerState;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}

export function PickerSearch({ ref, listId, activeId, picker, onKeyDown }: PickerSearchProps) {
  const { app, query } = picker;
  return (
    <div className="flex shrink-0 items-center">
      {app === null ? null : (
        <button
          type="button"
          aria-label={`Back from ${app.name}`}
          onClick={picker.leaveApp}
          className="ml-2 flex h-8 shrink-0 items-center gap-1 rounded-2 pr-1 hover:bg-sunken"
        >
          <ChevronLeft aria-hidden className="size-4" />
          <AppMark connector={app.connector} />
        </button>
      )}
      <input
        ref={ref}
        role="combobox"
        aria-label="Search steps"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={activeId}
        autoComplete="off"
        spellCheck={false}
        placeholder={app === null ? "Search apps and steps" : `Search ${app.name}`}
        value={query}
        onChange={(event) => picker.search(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-10 min-w-0 flex-1 bg-transparent px-3.5 -outline-offset-2 focus-visible:outline-none"
      />
    </div>
  );
}
