"use client";

import { CopyPlus, GripVertical, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { flushSync } from "react-dom";
import type { Path } from "@/components/canvas/document/edit-data";
import { takeInsertsIn } from "@/components/canvas/expressions/insert-reference";
import { ENTRIES, keepFocusIn } from "@/components/canvas/panel/fields/focus-field";
import { useNodeField, useNodeList } from "@/components/canvas/panel/fields/panel-context";
import { useItemOrder } from "@/components/canvas/panel/fields/use-item-order";
import { useRowKeys } from "@/components/canvas/panel/fields/use-row-keys";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";

interface ItemListProps {
  path: Path;
  title: string;
  /** The name of the list where a form has several with the same title. */
  label?: string;
  /** "field" or "rule", for "Add field" and "Remove field 2". */
  noun: string;
  /** Creates the content of a new item. */
  createItem: () => Record<string, unknown>;
  /** Shown while the list is empty. */
  empty?: string;
  /** Shown to the right of the title. */
  aside?: ReactNode;
  /** The minimum number of items; for example, a condition has at least one rule. */
  min?: number;
  /** Creates a copy of an item. Only a list whose order means something has it: its items can be moved, too. */
  copyItem?: (item: Record<string, unknown>) => Record<string, unknown>;
  children: (itemPath: Path, item: Record<string, unknown>, index: number) => ReactNode;
}

/** Edits a list in a node's data, with each item in its own box and buttons to add and remove items. */
export function ItemList({
  path,
  title,
  label = title,
  noun,
  createItem,
  empty,
  aside,
  min = 0,
  copyItem,
  children,
}: ItemListProps) {
  const items = useNodeList(path);
  const field = useNodeField(path);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const list = useRef<HTMLUListElement>(null);
  const section = useRef<HTMLElement>(null);
  const rows = useRowKeys(items.length);
  function remove(index: number) {
    rows.remove(index);
    field.set(items.filter((_, at) => at !== index));
    keepFocusIn(section.current);
  }
  function add() {
    // Rendered and focused at once: later, the focus would be taken from a field that the user has gone to meanwhile.
    flushSync(() => field.set([...items, createItem()]));
    list.current?.lastElementChild?.querySelector<HTMLElement>(ENTRIES)?.focus();
  }
  const order = useItemOrder({ noun, items, list, rows, set: field.set });
  return (
    <section ref={section} aria-label={label} className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-semibold">{title}</h2>
        {aside}
      </div>
      {items.length === 0 && empty !== undefined ? <p className="text-dense text-text-3">{empty}</p> : null}
      <ul ref={list} className="flex flex-col gap-2 empty:hidden">
        {items.map((item, index) => (
          <li
            key={rows.keys[index]}
            onFocus={({ currentTarget }) => takeInsertsIn(currentTarget)}
            {...(copyItem === undefined ? {} : order.dropsAt(index))}
            className="flex flex-col gap-2 rounded-2 border border-border p-2.5"
          >
            <div className="-mt-1 -mr-1 flex h-6 items-center justify-between">
              <span className="text-dense text-text-3">
                {noun.charAt(0).toUpperCase() + noun.slice(1)} {index + 1}
              </span>
              {isReadOnly ? null : (
                <span className="flex">
                  {copyItem === undefined ? null : (
                    <>
                      <IconButton
                        icon={CopyPlus}
                        size="sm"
                        label={`Duplicate ${noun} ${index + 1}`}
                        onClick={() => order.insert(index + 1, copyItem(item))}
                      />
                      <IconButton
                        icon={GripVertical}
                        size="sm"
                        label={`Move ${noun} ${index + 1}`}
                        shortcut="↑ ↓"
                        {...order.gripAt(index)}
                      />
                    </>
                  )}
                  {items.length <= min ? null : (
                    <IconButton
                      icon={Trash2}
                      size="sm"
                      label={`Remove ${noun} ${index + 1}`}
                      onClick={() => remove(index)}
                    />
                  )}
                </span>
              )}
            </div>
            {children([...path, index], item, index)}
          </li>
        ))}
      </ul>
      <span role="status" className="sr-only">
        {order.announcement}
      </span>
      {field.error === null ? null : (
        <p className="text-dense text-err">{items.length < min ? `Add at least one ${noun}.` : field.error}</p>
      )}
      {isReadOnly ? null : (
        <Button size="sm" className="self-start" onClick={add}>
          <Plus aria-hidden className="size-3.5" />
          Add {noun}
        </Button>
      )}
    </section>
  );
}
