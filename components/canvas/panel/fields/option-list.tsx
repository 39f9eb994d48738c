"use client";

import { useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { RotateCw } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { FieldOption } from "#lib/contract/action/field-options";
import { invalidateOperations } from "@/components/api/operation-hooks";
import { type OptionsOfField, useFieldOptions } from "@/components/canvas/panel/fields/use-field-options";
import { useSettled } from "@/components/canvas/panel/fields/use-settled";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/forms/input";
import { IconButton } from "@/components/ui/icon-button";
import { keepInView } from "@/components/ui/keep-in-view";
import { Skeleton } from "@/components/ui/lists/skeleton";

interface OptionListProps {
  label: string;
  of: OptionsOfField;
  /** Returns the title of a param that must be filled in first, by its name. */
  titleOf: (param: string) => string;
  /** The current value. */
  value?: unknown;
  onChoose: (value: string | number) => void;
  /** Set if search text that matches no choice can be the value. */
  onType?: (text: string) => void;
}

/** Lists a service's choices for a field. The user can search, refresh, or use the typed text. */
export function OptionList({ label, of, titleOf, value, onChoose, onType }: OptionListProps) {
  const listId = useId();
  const search = useOptionSearch(of);
  const { found, options, typed, isFresh, active, setActive } = search;
  const [missing] = of.missing;
  if (missing !== undefined) {
    return <p className="text-dense text-text-2">Fill in {titleOf(missing)} first. The choices depend on it.</p>;
  }
  const isKnown = options.some((option) => String(option.value) === typed);
  const isTypable = onType !== undefined && typed !== "" && isFresh && !isKnown;
  function choose(index: number) {
    const option = options[index];
    if (option !== undefined) onChoose(option.value);
    else if (isTypable) onType?.(typed);
  }
  const rowOf = (index: number) => ({
    id: `${listId}-${index}`,
    isActive: index === active,
    onPoint: () => setActive(index),
    onChoose: () => choose(index),
  });
  return (
    <div className="flex flex-col gap-2">
      <OptionSearch
        label={label}
        listId={listId}
        search={search}
        count={options.length + Number(isTypable)}
        onChoose={choose}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={label}
        aria-busy={found.isFetching}
        className="-mx-1 max-h-60 overflow-y-auto"
      >
        {options.map((option, index) => (
          <OptionRow
            key={`${typeof option.value}-${option.value}`}
            option={option}
            isChosen={value !== undefined && String(value) === String(option.value)}
            {...rowOf(index)}
          />
        ))}
        {isTypable ? (
          <OptionRow
            option={{ value: typed, label: `Use “${typed}” as is` }}
            isChosen={false}
            {...rowOf(options.length)}
          />
        ) : null}
      </div>
      <OptionState found={found} words={search.words} />
    </div>
  );
}

/** Holds the search text and the service's answer. */
function useOptionSearch(of: OptionsOfField) {
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const words = useSettled(text.trim());
  const queryClient = useQueryClient();
  const found = useFieldOptions(of, { words });
  // A refused connection gets an error status, and its picker shows how to fix it.
  useEffect(() => {
    if (found.isError) void invalidateOperations(queryClient, ["list_connections"]);
  }, [found.isError, queryClient]);
  const typed = text.trim();
  // Until the answer for these words arrives, the list shows the previous one.
  const isFresh = typed === words && !found.isPending && !found.isPlaceholderData;
  return { text, setText, typed, words, active, setActive, found, options: found.data?.options ?? [], isFresh };
}

interface OptionSearchProps {
  label: string;
  listId: string;
  search: ReturnType<typeof useOptionSearch>;
  /** Number of rows in the list. */
  count: number;
  onChoose: (index: number) => void;
}

function OptionSearch({ label, listId, search, count, onChoose }: OptionSearchProps) {
  const { text, setText, options, active, setActive, found, isFresh } = search;
  const input = useRef<HTMLInputElement>(null);
  // This code may load after the surrounding popover took the focus.
  useEffect(() => input.current?.focus(), []);
  function onKeyDown(event: KeyboardEvent) {
    const distance = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (distance !== undefined && count > 0) setActive((active + distance + count) % count);
    else if (event.key !== "Enter") return;
    else if (isFresh) onChoose(active);
    event.preventDefault();
  }
  return (
    <div className="flex items-center gap-1">
      <Input
        ref={input}
        role="combobox"
        aria-label={`Search ${label}`}
        aria-expanded={options.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={count > 0 ? `${listId}-${active}` : undefined}
        placeholder="Search"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <IconButton icon={RotateCw} label="Refresh" disabled={found.isFetching} onClick={() => void found.refetch()} />
    </div>
  );
}

/** Shown instead of choices, or to say that there are more. */
function OptionState({ found, words }: { found: ReturnType<typeof useFieldOptions>; words: string }) {
  if (found.isPending) return <Skeleton className="h-16 w-full" />;
  if (found.isError) {
    return (
      <div role="alert" className="flex flex-col items-start gap-1.5 text-dense">
        <p className="text-err [overflow-wrap:anywhere]">{found.error.message}</p>
        <Button size="sm" onClick={() => void found.refetch()} isBusy={found.isFetching}>
          Try again
        </Button>
      </div>
    );
  }
  if (found.data.options.length === 0) {
    return <p className="text-dense text-text-3">{words === "" ? "There are no choices." : "No choices match."}</p>;
  }
  if (found.data.next_cursor === null) return null;
  return <p className="text-dense text-text-3">There are more choices. Search to find them.</p>;
}

interface OptionRowProps {
  id: string;
  option: FieldOption;
  isActive: boolean;
  isChosen: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function OptionRow({ id, option, isActive, isChosen, onPoint, onChoose }: OptionRowProps) {
  return (
    <button
      type="button"
      id={id}
      ref={isActive ? keepInView : undefined}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onPointerMove={onPoint}
      onClick={onChoose}
      className={clsx(
        "flex w-full items-baseline gap-2 rounded-1 px-2 py-1 text-left",
        isActive && "bg-sunken",
        isChosen && "font-medium",
      )}
    >
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{option.label}</span>
      {option.hint ? <span className="shrink-0 text-micro text-text-3">{option.hint}</span> : null}
    </button>
  );
}
