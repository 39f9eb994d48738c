"use client";

import { Slot } from "radix-ui/slot";
import { type ReactElement, type ReactNode, Suspense, useState } from "react";

interface LazyMenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  /** Fetches the menu's code; called when the pointer or the focus comes near. */
  preload: () => Promise<unknown>;
  /** The menu, made by `lazy`: it takes over the trigger and starts open. */
  children: (menu: { trigger: ReactElement; isInitiallyOpen: true }) => ReactNode;
}

/** A menu whose code loads when it is first needed: users read lists far more often than they open menus. */
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
