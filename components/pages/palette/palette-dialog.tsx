"use client";

import { clsx } from "clsx";
import * as Primitive from "radix-ui/dialog";
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { matchCommands } from "@/components/pages/palette/match-commands";
import { useFoundCommands } from "@/components/pages/palette/use-found-commands";
import {
  type CommandSearch,
  listPageCommands,
  loadPageSearches,
  type PaletteCommand,
} from "@/components/shell/command-sources";
import { Kbd } from "@/components/ui/forms/kbd";
import { keepInView } from "@/components/ui/keep-in-view";
import { OVERLAY_LOOK } from "@/components/ui/overlays/dialog";
import { returnFocus } from "@/components/ui/overlays/return-focus";

/** The open palette. The page's own commands come before pages to go to. */
export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const hasChosen = useRef(false);
  return (
    <Primitive.Root open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Primitive.Portal>
        <Primitive.Overlay className={OVERLAY_LOOK} />
        <Primitive.Content
          aria-describedby={undefined}
          // After a choice, the chosen command decides where the focus goes.
          onCloseAutoFocus={(event) => (hasChosen.current ? event.preventDefault() : returnFocus(event))}
          className="fixed top-[12dvh] left-1/2 z-modal flex max-h-[70dvh] w-[calc(100vw-24px)] max-w-[600px] -translate-x-1/2 flex-col overflow-hidden rounded-4 border border-border bg-raised shadow-3 animate-fade focus:outline-none"
        >
          <Primitive.Title className="sr-only">Command palette</Primitive.Title>
          <PaletteList
            onChoose={(command) => {
              hasChosen.current = true;
              onClose();
              command.run();
            }}
          />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function PaletteList({ onChoose }: { onChoose: (command: PaletteCommand) => void }) {
  const listId = useId();
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const [own] = useState(listPageCommands);
  const found = useFoundCommands(query);
  const searched = useSearchedCommands(query);
  const groups = matchCommands([...own, ...searched, ...found], query);
  const flat = groups.flatMap(({ commands }) => commands);
  const current = flat[Math.min(active, flat.length - 1)];
  function onKeyDown(event: KeyboardEvent) {
    const distance = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (distance !== undefined && flat.length > 0) setActive((active + distance + flat.length) % flat.length);
    else if (event.key === "Enter" && current !== undefined) onChoose(current);
    else return;
    event.preventDefault();
  }
  return (
    <>
      <input
        role="combobox"
        aria-label="Search commands, steps, workflows, actions and runs"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={current === undefined ? undefined : `${listId}-${current.id}`}
        placeholder="Search, or type a command"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        className="h-12 w-full shrink-0 border-b border-border bg-transparent px-4 -outline-offset-2 focus-visible:outline-none"
      />
      <div id={listId} role="listbox" aria-label="Commands" className="min-h-0 overflow-y-auto p-1.5">
        {groups.map(({ title, commands }) => (
          <Fragment key={title}>
            <p role="presentation" className="px-2.5 pt-2 pb-1 text-dense text-text-3">
              {title}
            </p>
            {commands.map((command) => (
              <PaletteOption
                key={command.id}
                id={`${listId}-${command.id}`}
                command={command}
                isActive={command === current}
                onPoint={() => setActive(flat.indexOf(command))}
                onChoose={() => onChoose(command)}
              />
            ))}
          </Fragment>
        ))}
        {flat.length === 0 ? <p className="px-2.5 py-3 text-text-2">No results for “{query}”.</p> : null}
      </div>
    </>
  );
}

interface PaletteOptionProps {
  id: string;
  command: PaletteCommand;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function PaletteOption({ id, command: { label, hint }, isActive, onPoint, onChoose }: PaletteOptionProps) {
  return (
    <button
      type="button"
      id={id}
      ref={isActive ? keepInView : undefined}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onPointerMove={onPoint}
      onClick={onChoose}
      className={clsx(
        "flex min-h-8 w-full items-center gap-3 rounded-2 px-2.5 text-left",
        isActive && "bg-sunken dark:bg-surface",
      )}
    >
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {hint === undefined ? null : isKey(hint) ? (
        <Kbd>{hint}</Kbd>
      ) : (
        <span className="shrink-0 text-dense text-text-3">{hint}</span>
      )}
    </button>
  );
}

/** "⌘S", "G W", "N": a hint that is a key. */
function isKey(hint: string): boolean {
  return /^(G )?[⌘⇧⌥]*(\S|Del|Enter|F2)$/.test(hint);
}

const NONE: readonly CommandSearch[] = [];

/** Finds commands with the open page's own searches, once they are loaded. */
function useSearchedCommands(query: string): PaletteCommand[] {
  const [searches, setSearches] = useState(NONE);
  useEffect(() => {
    let isOpen = true;
    void loadPageSearches().then((loaded) => {
      if (isOpen) setSearches(loaded);
    });
    return () => {
      isOpen = false;
    };
  }, []);
  return searches.flatMap((search) => [...search(query)]);
}
