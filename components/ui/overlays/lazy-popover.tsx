"use client";

import { Slot } from "radix-ui/slot";
import { lazy, Suspense, useState } from "react";
import type { PopoverProps } from "@/components/ui/overlays/popover";

const load = () => import("@/components/ui/overlays/popover");
const Popover = lazy(() => load().then((m) => ({ default: m.Popover })));

type LazyPopoverProps = PopoverProps & Required<Pick<PopoverProps, "isOpen" | "onOpenChange">>;

/** A popover whose code loads when the pointer or the focus comes near its button. */
export function LazyPopover(props: LazyPopoverProps) {
  const [isWanted, setIsWanted] = useState(false);
  const preload = () => void load().catch(() => undefined);
  const closed = (
    <Slot
      aria-haspopup="dialog"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => {
        setIsWanted(true);
        props.onOpenChange(true);
      }}
    >
      {props.trigger}
    </Slot>
  );
  if (!isWanted) return closed;
  return (
    <Suspense fallback={closed}>
      <Popover {...props} />
    </Suspense>
  );
}
