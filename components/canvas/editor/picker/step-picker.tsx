"use client";

import * as Dialog from "radix-ui/dialog";
import { type CSSProperties, useRef } from "react";
import { describeSpot } from "@/components/canvas/document/describe-spot";
import { PickerBody } from "@/components/canvas/editor/picker/picker-body";
import type { Picker } from "@/components/canvas/store/dialogs-slice";
import { useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { returnFocus } from "@/components/ui/overlays/return-focus";

/** The catalog of steps to add, opened next to the position of the new step. */
export function StepPicker() {
  const picker = useEditor((state) => state.picker);
  return picker === null ? null : <OpenPicker picker={picker} />;
}

/** The picker keeps its full height wherever it opens, and moves into the window if there is no room. */
const PLACE =
  "left-[max(12px,min(var(--left),100vw-452px))] top-[max(12px,min(var(--top),100dvh-692px))] " +
  "w-[min(440px,100vw-24px)] max-h-[min(680px,100dvh-24px)]";
const WIDTH = 440;
const MARGIN = 12;
/** Above the point, so that the first results are next to it. */
const RAISED = 64;
const HALF_CARD = 140;
const GAP = 16;

/**
 * Returns the left edge: to the right of the card above and of the place of the new one, or to their left if only that
 * side has room.
 */
function besideCards({ anchor: { x }, card = { left: x, right: x } }: Picker, windowWidth: number): number {
  const left = Math.min(card.left, x - HALF_CARD) - GAP - WIDTH;
  const right = Math.max(card.right, x + HALF_CARD) + GAP;
  return right + WIDTH + MARGIN <= windowWidth || left < MARGIN ? right : left;
}

function OpenPicker({ picker }: { picker: Picker }) {
  const editor = useEditorStore();
  const title = useEditor((state) => describeSpot(state.definition, picker.spot));
  const hasChosen = useRef(false);
  const left = besideCards(picker, window.innerWidth);
  const place = { "--left": `${left}px`, "--top": `${picker.anchor.y - RAISED}px` } as CSSProperties;
  return (
    <Dialog.Root modal={false} open onOpenChange={(isOpen) => (isOpen ? undefined : editor.getState().closePicker())}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          // After a choice the panel takes the focus.
          onCloseAutoFocus={(event) => (hasChosen.current ? event.preventDefault() : returnFocus(event))}
          style={place}
          className={`fixed z-popover flex flex-col overflow-hidden rounded-3 border border-border bg-raised shadow-2 animate-rise focus:outline-none ${PLACE}`}
        >
          <Dialog.Title className="shrink-0 truncate px-3.5 pt-2 text-dense font-medium text-text-2" title={title}>
            {title}
          </Dialog.Title>
          <PickerBody
            opened={picker}
            onChoose={() => {
              hasChosen.current = true;
            }}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
