"use client";

import { Slot } from "radix-ui/slot";
import { type ReactElement, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Kbd } from "@/components/ui/forms/kbd";
import { placeBeside, type Side } from "@/components/ui/place-beside";

const SHOW_MS = 400;
/** Long enough to move the pointer from the element onto the bubble and read on (WCAG 1.4.13). */
const HIDE_MS = 120;

interface TooltipProps {
  content: ReactNode;
  shortcut?: string | undefined;
  side?: Side;
  /** True if the content repeats the element's own name, which is then not read twice. */
  isName?: boolean;
  /** One focusable element. */
  children: ReactElement;
}

/** Explains the element under the pointer or focus. Never the only place for a fact. */
export function Tooltip({ content, shortcut, side = "bottom", isName = false, children }: TooltipProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function set(next: HTMLElement | null, afterMs: number) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setAnchor(next), afterMs);
  }

  return (
    <>
      <Slot
        aria-describedby={anchor === null || isName ? undefined : id}
        onPointerEnter={({ pointerType, currentTarget }) =>
          pointerType === "touch" ? undefined : set(currentTarget, SHOW_MS)
        }
        onPointerLeave={() => set(null, HIDE_MS)}
        onPointerDown={() => set(null, 0)}
        onFocus={({ currentTarget }) => (currentTarget.matches(":focus-visible") ? set(currentTarget, 0) : undefined)}
        onBlur={() => set(null, 0)}
      >
        {children}
      </Slot>
      {anchor === null ? null : (
        <Bubble
          id={id}
          anchor={anchor}
          side={side}
          isHidden={isName}
          onStay={() => set(anchor, 0)}
          onLeave={() => set(null, HIDE_MS)}
          onDismiss={() => set(null, 0)}
        >
          <span className="min-w-0">{content}</span>
          {shortcut === undefined ? null : <Kbd isInverse>{shortcut}</Kbd>}
        </Bubble>
      )}
    </>
  );
}

interface BubbleProps {
  id: string;
  anchor: HTMLElement;
  side: Side;
  isHidden: boolean;
  onStay: () => void;
  onLeave: () => void;
  onDismiss: () => void;
  children: ReactNode;
}

function Bubble({ id, anchor, side, isHidden, onStay, onLeave, onDismiss, children }: BubbleProps) {
  const bubble = useRef<HTMLDivElement>(null);
  const dismiss = useRef(onDismiss);
  useLayoutEffect(() => {
    if (bubble.current !== null) placeBeside(bubble.current, anchor, side);
  });
  useLayoutEffect(() => {
    dismiss.current = onDismiss;
  });
  // Not useEffect, which runs after the bubble is shown: Escape could come before it.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => (event.key === "Escape" ? dismiss.current() : undefined);
    const onScroll = () => dismiss.current();
    document.addEventListener("keydown", onKeyDown, true);
    window.addEventListener("scroll", onScroll, true);
    return () => {
      document.removeEventListener("keydown", onKeyDown, true);
      window.removeEventListener("scroll", onScroll, true);
    };
  }, []);
  return createPortal(
    <div
      ref={bubble}
      id={id}
      role="tooltip"
      aria-hidden={isHidden || undefined}
      onPointerEnter={onStay}
      onPointerLeave={onLeave}
      className="fixed top-0 left-0 z-popover flex w-max max-w-72 items-center gap-2 rounded-2 bg-primary px-2 py-1 text-dense text-on-primary shadow-2 animate-fade"
    >
      {children}
    </div>,
    document.body,
  );
}
