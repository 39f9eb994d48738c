import { clsx } from "clsx";
import { Plus } from "lucide-react";
import type { MouseEvent } from "react";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import { useEditorStore } from "@/components/canvas/store/draft-context";

interface AddButtonProps {
  spot: InsertSpot;
  label: string;
  className?: string;
}

/** A 20 px button, with a 24 px target, that adds a step at its position. Opens the picker below itself. */
export function AddButton({ spot, label, className }: AddButtonProps) {
  const editor = useEditorStore();
  function openPicker(event: MouseEvent<HTMLButtonElement>) {
    event.stopPropagation();
    const box = event.currentTarget.getBoundingClientRect();
    const card = event.currentTarget.closest(".react-flow__node")?.getBoundingClientRect();
    const anchor = { x: box.left + box.width / 2, y: box.bottom };
    editor.getState().openPicker({ spot, anchor, ...(card === undefined ? {} : { card }) });
  }
  return (
    <button
      type="button"
      aria-label={label}
      onClick={openPicker}
      className={clsx(
        "nodrag nopan pointer-events-auto relative flex size-5 items-center justify-center rounded-[6px] border border-border",
        "bg-surface text-text-2 shadow-1 transition-colors after:absolute after:-inset-[3px] hover:border-accent hover:text-accent",
        className,
      )}
    >
      <Plus aria-hidden className="size-3" strokeWidth={2.25} />
    </button>
  );
}
