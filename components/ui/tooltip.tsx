"use client";

import * as Primitive from "radix-ui/tooltip";
import type { ReactElement, ReactNode } from "react";
import { Kbd } from "@/components/ui/kbd";

export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Primitive.Provider delayDuration={400}>{children}</Primitive.Provider>;
}

interface TooltipProps {
  content: ReactNode;
  shortcut?: string | undefined;
  side?: "top" | "right" | "bottom" | "left";
  /** One focusable element. */
  children: ReactElement;
}

/** More about the element under the pointer or focus. Never the only place where something is said. */
export function Tooltip({ content, shortcut, side = "bottom", children }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-popover flex max-w-72 items-center gap-2 rounded-2 bg-primary px-2 py-1 text-dense text-on-primary shadow-2 animate-rise"
        >
          <span className="min-w-0">{content}</span>
          {shortcut === undefined ? null : <Kbd isInverse>{shortcut}</Kbd>}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
