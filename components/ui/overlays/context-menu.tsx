"use client";

import * as Primitive from "radix-ui/dropdown-menu";
import { type ReactNode, useRef, useState } from "react";
import { Kbd } from "@/components/ui/forms/kbd";

interface ContextMenuProps {
  /** The place in the window where it opens. */
  at: { x: number; y: number };
  /** The menu's name for a screen reader. */
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** A menu at the pointer or the focus; mounted while it is open. */
export function ContextMenu({ at, label, onClose, children }: ContextMenuProps) {
  const [before] = useState(() => document.activeElement);
  const isLeftByPointer = useRef(false);
  return (
    <Primitive.Root open modal={false} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Primitive.Trigger asChild>
        <span aria-hidden className="pointer-events-none fixed" style={{ left: at.x, top: at.y }} />
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          aria-label={label}
          // The trigger is a point, which has no name.
          aria-labelledby={undefined}
          align="start"
          collisionPadding={8}
          onInteractOutside={() => {
            isLeftByPointer.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (isLeftByPointer.current || !isFocusFree(event.currentTarget)) return;
            if (before instanceof HTMLElement) before.focus({ preventScroll: true });
          }}
          className="z-popover min-w-52 overflow-y-auto rounded-3 border border-border bg-raised p-1 text-text-2 shadow-2 animate-rise"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** False if the chosen item has moved the focus itself. */
function isFocusFree(menu: EventTarget | null): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || (menu instanceof Node && menu.contains(activeElement));
}

interface ContextItemProps {
  shortcut?: string;
  isDestructive?: boolean;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function ContextItem({
  shortcut,
  isDestructive = false,
  disabled = false,
  onSelect,
  children,
}: ContextItemProps) {
  return (
    <Primitive.Item
      disabled={disabled}
      onSelect={onSelect}
      className={`flex h-8 items-center gap-6 rounded-1 px-2 outline-none select-none data-[disabled]:opacity-50 data-[highlighted]:bg-sunken ${
        isDestructive ? "text-err" : "data-[highlighted]:text-text"
      }`}
    >
      <span className="flex-1">{children}</span>
      {shortcut === undefined ? null : <Kbd>{shortcut}</Kbd>}
    </Primitive.Item>
  );
}

export function ContextSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-border" />;
}
