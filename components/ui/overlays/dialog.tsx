"use client";

import { clsx } from "clsx";
import { X } from "lucide-react";
import * as Primitive from "radix-ui/dialog";
import type { ReactNode } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { returnFocus } from "@/components/ui/overlays/return-focus";

export const OVERLAY_LOOK = "fixed inset-0 z-modal bg-scrim animate-fade";
export const WINDOW_LOOK =
  "fixed top-1/2 left-1/2 z-modal flex max-h-[calc(100dvh-32px)] w-[calc(100vw-24px)] -translate-x-1/2 -translate-y-1/2 " +
  "flex-col rounded-4 border border-border bg-raised shadow-3 animate-fade focus:outline-none";

interface DialogProps {
  isOpen: boolean;
  /** Called when the user asks to close: Escape, backdrop or the close button. Without it, only the footer closes it. */
  onClose?: () => void;
  title: ReactNode;
  description?: ReactNode;
  size?: "md" | "lg";
  /** Buttons; the one that confirms comes last. */
  footer?: ReactNode;
  children: ReactNode;
}

/** Header, scrolling body and footer. The focus stays inside and returns to where it was. */
export function Dialog({ isOpen, onClose, title, description, size = "md", footer, children }: DialogProps) {
  return (
    <Primitive.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose?.())}>
      <Primitive.Portal>
        <Primitive.Overlay className={OVERLAY_LOOK} />
        <Primitive.Content
          onCloseAutoFocus={returnFocus}
          className={clsx(WINDOW_LOOK, size === "md" ? "max-w-[520px]" : "max-w-[760px]")}
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          // The close button comes first in the order but is not what the user came for, and its tooltip would take the
          // first Escape.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
        >
          <header className="flex items-start gap-3 border-b border-border py-3 pr-2.5 pl-4">
            <div className="min-w-0 flex-1 py-1.5">
              <Primitive.Title className="text-title font-semibold">{title}</Primitive.Title>
              {description === undefined ? null : (
                <Primitive.Description className="mt-0.5 text-text-2">{description}</Primitive.Description>
              )}
            </div>
            {onClose === undefined ? null : <IconButton icon={X} label="Close" onClick={onClose} />}
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
          {footer === undefined ? null : (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-border px-4 py-3">{footer}</footer>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
