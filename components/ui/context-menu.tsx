"use client";

import * as Primitive from "radix-ui/context-menu";
import type { ReactElement, ReactNode } from "react";
import { Kbd } from "@/components/ui/kbd";

interface ContextMenuProps {
  /** What is right-clicked, or holds the focus when Shift+F10 is pressed. */
  children: ReactElement;
  /** Names the menu for a screen reader. */
  label: string;
  items: ReactNode;
  onOpenChange?: (isOpen: boolean) => void;
}

/** A menu where the pointer, or the focus, is. */
export function ContextMenu({ children, label, items, onOpenChange }: ContextMenuProps) {
  return (
    <Primitive.Root modal={false} {...(onOpenChange === undefined ? {} : { onOpenChange })}>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          aria-label={label}
          collisionPadding={8}
          className="z-popover min-w-52 overflow-y-auto rounded-3 border border-border bg-raised p-1 text-text-2 shadow-2 animate-rise"
        >
          {items}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
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
