"use client";

import { clsx } from "clsx";
import * as Popover from "radix-ui/popover";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import type { StepKind } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS, STEP_TYPES, type StepType } from "#lib/core/steps/step-kinds";
import { insertAt } from "@/components/canvas/actions/canvas-actions";
import { insertRefusal } from "@/components/canvas/layout/insert-node";
import { useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import type { Picker } from "@/components/canvas/store/editor-store";
import { KindTile } from "@/components/canvas/view/kind-tile";

/** The list of steps to add, opened at the position of the new step. */
export function NodePicker() {
  const picker = useEditor((state) => state.picker);
  return picker === null ? null : <OpenPicker picker={picker} />;
}

function OpenPicker({ picker }: { picker: Picker }) {
  const editor = useEditorStore();
  const hasChosen = useRef(false);
  const anchor = { getBoundingClientRect: () => new DOMRect(picker.anchor.x, picker.anchor.y, 0, 0) };
  return (
    <Popover.Root open onOpenChange={(isOpen) => (isOpen ? undefined : editor.getState().closePicker())}>
      <Popover.Anchor virtualRef={{ current: anchor }} />
      <Popover.Portal>
        <Popover.Content
          aria-label="Add a step"
          side="bottom"
          sideOffset={8}
          collisionPadding={12}
          // After a choice the panel takes the focus; otherwise the focus returns by itself.
          onCloseAutoFocus={(event) => hasChosen.current && event.preventDefault()}
          className="z-popover flex max-h-[var(--radix-popover-content-available-height)] w-96 max-w-[calc(100vw-24px)] flex-col overflow-hidden rounded-3 border border-border bg-raised shadow-2 animate-rise focus:outline-none"
        >
          <PickerList
            picker={picker}
            onChoose={() => {
              hasChosen.current = true;
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface Option {
  kind: StepKind<StepType>;
  refusal: string | null;
}

function PickerList({ picker, onChoose }: { picker: Picker; onChoose: () => void }) {
  const editor = useEditorStore();
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const options = findOptions(query, (kind) => insertRefusal(editor.getState().definition, kind.type, picker.spot));
  const current = options[Math.min(active, options.length - 1)];
  function choose(option: Option | undefined) {
    if (option === undefined || option.refusal !== null) return;
    onChoose();
    editor.getState().closePicker();
    insertAt(editor, option.kind.type, picker.spot);
  }
  function move(distance: number) {
    const next = (Math.min(active, options.length - 1) + distance + options.length) % options.length;
    setActive(next);
    list.current?.children[next]?.scrollIntoView({ block: "nearest" });
  }
  function onKeyDown(event: KeyboardEvent) {
    const distance = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (distance !== undefined) move(distance);
    else if (event.key === "Enter") choose(current);
    else return;
    event.preventDefault();
  }
  return (
    <>
      <PickerSearch
        listId={listId}
        activeId={current === undefined ? undefined : `${listId}-${current.kind.type}`}
        query={query}
        onSearch={(words) => {
          setQuery(words);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label="Steps"
        className="max-h-[440px] min-h-0 overflow-y-auto p-1"
      >
        {options.map((option, index) => (
          <PickerOption
            key={option.kind.type}
            id={`${listId}-${option.kind.type}`}
            option={option}
            isActive={option === current}
            onPoint={() => setActive(index)}
            onChoose={() => choose(option)}
          />
        ))}
      </div>
      {options.length === 0 ? <p className="px-3.5 pb-4 text-text-2">No step matches “{query}”.</p> : null}
    </>
  );
}

interface PickerSearchProps {
  listId: string;
  activeId: string | undefined;
  query: string;
  onSearch: (query: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function PickerSearch({ listId, activeId, query, onSearch, onKeyDown }: PickerSearchProps) {
  return (
    <input
      role="combobox"
      aria-label="Search steps"
      aria-expanded="true"
      aria-controls={listId}
      aria-activedescendant={activeId}
      placeholder="Search steps"
      value={query}
      onChange={(event) => onSearch(event.target.value)}
      onKeyDown={onKeyDown}
      className="h-10 w-full shrink-0 border-b border-border bg-transparent px-3.5 -outline-offset-2 focus-visible:outline-none"
    />
  );
}

interface PickerOptionProps {
  id: string;
  option: Option;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function PickerOption({ id, option, isActive, onPoint, onChoose }: PickerOptionProps) {
  const { kind, refusal } = option;
  return (
    <button
      type="button"
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-disabled={refusal !== null}
      onPointerMove={onPoint}
      onClick={onChoose}
      className={clsx(
        "flex w-full cursor-pointer items-center gap-3 text-left rounded-2 px-2.5 py-2",
        isActive && "bg-sunken",
        refusal !== null && "cursor-not-allowed opacity-55",
      )}
    >
      <KindTile type={kind.type} />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{kind.title}</span>
        <span className="block text-dense text-text-2">{refusal ?? kind.description}</span>
      </span>
    </button>
  );
}

/** Returns the kinds that match every word typed; kinds that can be added come first. */
function findOptions(query: string, refusalOf: (kind: StepKind<StepType>) => string | null): Option[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = STEP_TYPES.map((type) => STEP_KINDS[type]).filter((kind) => {
    const text = `${kind.title} ${kind.description} ${kind.keywords}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const options = matching.map((kind) => ({ kind, refusal: refusalOf(kind) }));
  return options.sort((a, b) => Number(a.refusal !== null) - Number(b.refusal !== null));
}
