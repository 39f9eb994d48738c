"use client";

import { type KeyboardEvent, useId, useRef } from "react";
import { formatCount } from "#lib/support/format/format-number";
import { ANY_SERVICE_SECTION, type EntrySection } from "@/components/canvas/catalog/arrange-entries";
import { PickerCategories } from "@/components/canvas/editor/picker/picker-categories";
import { PickerOption } from "@/components/canvas/editor/picker/picker-option";
import { PickerSearch } from "@/components/canvas/editor/picker/picker-search";
import { type PickerState, usePicker } from "@/components/canvas/editor/picker/use-picker";
import type { Picker } from "@/components/canvas/store/dialogs-slice";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/lists/skeleton";

const PAGE = 8;

/** The search of the picker and the list of what it finds, as a combobox with a listbox of groups. */
export function PickerBody({ opened, onChoose }: { opened: Picker; onChoose: () => void }) {
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const picker = usePicker(opened, onChoose);
  const { rows, current, query, app } = picker;
  const hasMatches = picker.sections.some(({ id }) => id !== ANY_SERVICE_SECTION);
  const isOverview = query === "" && app === null && picker.category === "all";
  return (
    <>
      <PickerSearch
        ref={input}
        listId={listId}
        activeId={current === undefined ? undefined : `${listId}-${current.id}`}
        picker={picker}
        onKeyDown={(event) => onPickerKey(event, picker)}
      />
      {app === null ? (
        <PickerCategories
          chosen={picker.category}
          onChoose={(category) => {
            picker.show(category);
            input.current?.focus();
          }}
        />
      ) : null}
      <div className="min-h-0 flex-1 overflow-y-auto border-t border-border p-1">
        <CatalogNotice picker={picker} isOverview={isOverview} />
        {hasMatches || picker.isLoading ? null : <NoMatch query={query} isInApp={app !== null} />}
        <div id={listId} role="listbox" aria-label="Steps">
          {picker.sections.map((section) => (
            <PickerSection key={section.id} listId={listId} section={section} picker={picker} />
          ))}
        </div>
      </div>
      <p role="status" className="sr-only">
        {query === "" ? "" : formatCount(hasMatches ? rows.length : 0, "result")}
      </p>
    </>
  );
}

/** Says what to do if no step fits. The steps that reach any service are listed below it. */
function NoMatch({ query, isInApp }: { query: string; isInApp: boolean }) {
  return (
    <p className="px-2.5 py-2 text-text-2">
      <span>No step matches “{query}”.</span>{" "}
      {isInApp ? null : (
        <>
          Use one of the steps below, or{" "}
          <Link href="/connections/build" className="link">
            build a connector
          </Link>{" "}
          from the service's OpenAPI document.
        </>
      )}
    </p>
  );
}

function onPickerKey(event: KeyboardEvent<HTMLInputElement>, picker: PickerState) {
  if (!handleKey(event.key, event.currentTarget, picker)) return;
  event.preventDefault();
}

/** @returns false for a key that belongs to the text */
function handleKey(key: string, { value, selectionStart }: HTMLInputElement, picker: PickerState): boolean {
  const distance = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }[key];
  if (distance !== undefined) picker.move(distance);
  else if (key === "Enter") picker.choose(picker.current);
  else if (key === "ArrowRight" && selectionStart === value.length) return picker.openApp(picker.current);
  else if ((key === "ArrowLeft" || key === "Backspace") && value === "" && picker.app !== null) picker.leaveApp();
  else return false;
  return true;
}

interface PickerSectionProps {
  listId: string;
  section: EntrySection;
  picker: PickerState;
}

function PickerSection({ listId, section, picker }: PickerSectionProps) {
  const titleId = `${listId}-title-${section.id}`;
  return (
    // A fieldset is a group, as the options of a listbox may be in.
    <fieldset aria-labelledby={titleId} className="min-w-0">
      <p id={titleId} role="presentation" className="px-2.5 pt-1.5 text-dense text-text-3">
        {section.title}
      </p>
      {picker.rows
        .filter(({ sectionId }) => sectionId === section.id)
        .map((row) => (
          <PickerOption
            key={row.id}
            id={`${listId}-${row.id}`}
            row={row}
            isActive={row === picker.current}
            isInApp={picker.app !== null}
            onPoint={() => picker.point(row)}
            onChoose={() => picker.choose(row)}
          />
        ))}
    </fieldset>
  );
}

/** The height of the apps in the overview, so that the steps below them stay in place when the apps arrive. */
const APPS_HEIGHT = "h-[172px]";

function CatalogNotice({ picker, isOverview }: { picker: PickerState; isOverview: boolean }) {
  if (picker.isLoading) return isOverview ? <Skeleton className={`mb-1 w-full ${APPS_HEIGHT}`} /> : null;
  if (!picker.hasFailed) return null;
  return (
    <p role="alert" className="flex items-center gap-2 px-2.5 py-1.5 text-dense text-err">
      Couldn't load the apps.
      <button type="button" className="link" onClick={picker.retry}>
        Try again
      </button>
    </p>
  );
}
