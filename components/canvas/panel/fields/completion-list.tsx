"use client";

import { clsx } from "clsx";
import * as Popover from "radix-ui/popover";
import type { DataField, DataSource } from "@/components/canvas/document/earlier-data";
import { keepInView } from "@/components/ui/keep-in-view";

const SHOWN_MAX = 40;

export interface Completion {
  source: DataSource;
  field: DataField;
}

/**
 * Returns the values whose expression or step contains the text typed after `{{`; values that start with it come first.
 */
export function filterCompletions(sources: readonly DataSource[], typed: string): Completion[] {
  const wanted = typed.toLowerCase();
  const all = sources.flatMap((source) => source.fields.map((field) => ({ source, field })));
  const textOf = ({ field }: Completion) => field.expression.slice(2, -2).toLowerCase();
  const matching = all.filter(
    (completion) => textOf(completion).includes(wanted) || completion.source.label.toLowerCase().includes(wanted),
  );
  const startsLate = (completion: Completion) => Number(!textOf(completion).startsWith(wanted));
  return matching.sort((a, b) => startsLate(a) - startsLate(b)).slice(0, SHOWN_MAX);
}

interface CompletionListProps {
  id: string;
  completions: readonly Completion[];
  active: number;
  onPoint: (index: number) => void;
  onChoose: (field: DataField) => void;
}

/** Lists values for the expression being typed. The field keeps the focus and handles the keys. */
export function CompletionList({ id, completions, active, onPoint, onChoose }: CompletionListProps) {
  return (
    <Popover.Portal>
      <Popover.Content
        // Not a dialog: the list belongs to the field, which keeps the focus.
        role="presentation"
        side="bottom"
        align="start"
        sideOffset={4}
        collisionPadding={8}
        onOpenAutoFocus={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => event.preventDefault()}
        className="z-popover max-h-64 w-(--radix-popover-trigger-width) min-w-72 overflow-y-auto rounded-3 border border-border bg-raised p-1 shadow-2"
      >
        <div id={id} role="listbox" aria-label="Data from earlier steps">
          {completions.map(({ source, field }, index) => (
            <button
              type="button"
              key={field.expression}
              id={`${id}-${index}`}
              ref={index === active ? keepInView : undefined}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onPointerMove={() => onPoint(index)}
              // Runs before the field loses the focus, which would close this list.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(field)}
              className={clsx(
                "flex w-full items-baseline gap-2 rounded-1 px-2 py-1 text-left",
                index === active && "bg-sunken",
              )}
            >
              <span className="min-w-0 flex-1 font-mono text-dense [overflow-wrap:anywhere]">
                {field.expression.slice(2, -2)}
                {field.sample === undefined ? null : (
                  <span aria-hidden className="block truncate text-micro text-text-3">
                    = {field.sample}
                  </span>
                )}
              </span>
              <span className="shrink-0 text-micro text-text-3">
                {field.type} · step {source.step}
              </span>
            </button>
          ))}
        </div>
      </Popover.Content>
    </Popover.Portal>
  );
}
