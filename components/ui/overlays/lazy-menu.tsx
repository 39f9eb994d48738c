"use client";

import { Slot } from "radix-ui/slot";
import { type ReactElement, type ReactNode, Suspense, useState } from "react";

interface LazyMenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  /** Fetches the menu's code; called when the pointer or the focus comes near. */
  preload: () => Promise<unknown>;
  /** The menu itself, by `lazy`: it takes over the trigger and begins open. */
  children: (menu: { trigger: ReactElement; isInitiallyOpen: true }) => ReactNode;
}

/** A menu whose code comes when it is first wanted: lists are read far more often than their menus are opened. */
export function LazyMenu({ trigger, preload, children }: LazyMenuProps) {
  const [isWanted, setIsWanted] = useState(false);
  const closed = (
    <Slot
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void preload()}
      onFocus={() => void preload()}
      onClick={() => setIsWanted(true)}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        setIsWanted(true);
      }}
    >
      {trigger}
    </Slot>
  );
  if (!isWanted) return closed;
  return <Suspense fallback={closed}>{children({ trigger, isInitiallyOpen: true })}</Suspense>;
}
