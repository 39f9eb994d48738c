"use client";

import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { type CatalogEntry, entryLabel } from "@/components/canvas/catalog/catalog-entry";
import type { PickerRow } from "@/components/canvas/editor/picker/use-picker";
import { KindTile } from "@/components/canvas/view/kind-tile";
import { keepInView } from "@/components/ui/keep-in-view";

interface PickerOptionProps {
  id: string;
  row: PickerRow;
  isActive: boolean;
  /** True in the list of one app, which need not name the app again. */
  isInApp: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

export function PickerOption({ id, row, isActive, isInApp, onPoint, onChoose }: PickerOptionProps) {
  const refusal = row.kind === "entry" ? row.offer.refusal : null;
  return (
    <button
      type="button"
      id={id}
      ref={isActive ? keepInView : undefined}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-disabled={refusal !== null}
      onPointerMove={onPoint}
      onClick={onChoose}
      className={clsx(
        "flex min-h-[30px] w-full cursor-pointer scroll-mt-7 items-center gap-2.5 rounded-2 px-2.5 text-left pointer-coarse:min-h-11",
        // Only the lines in view are laid out: a connector from a large OpenAPI document has a thousand.
        "[contain-intrinsic-size:auto_30px] [content-visibility:auto]",
        isActive && "bg-sunken dark:bg-surface",
        refusal !== null && "cursor-not-allowed opacity-55",
      )}
    >
      {row.kind === "more" ? (
        <span className="pl-8.5 text-accent">{row.category === "apps" ? "All apps" : "All of your actions"}</span>
      ) : (
        <EntryLine entry={row.offer.entry} refusal={refusal} isInApp={isInApp} />
      )}
    </button>
  );
}

interface EntryLineProps {
  entry: CatalogEntry;
  refusal: string | null;
  isInApp: boolean;
}

function EntryLine({ entry, refusal, isInApp }: EntryLineProps) {
  const { icon, title, description, choice } = entry;
  return (
    <>
      <KindTile type={icon.type} app={icon.app} />
      <span className="max-w-[75%] shrink-0 truncate font-medium">{isInApp ? title : entryLabel(entry)}</span>{" "}
      <span className="min-w-0 flex-1 truncate text-dense text-text-3">{refusal ?? description}</span>
      {choice.kind === "app" ? <ChevronRight aria-hidden className="size-4 shrink-0 text-text-3" /> : null}
    </>
  );
}
