"use client";

import * as Primitive from "radix-ui/dialog";
import { NavLinks } from "@/components/pages/frame/nav-links";
import { UserMenu } from "@/components/pages/frame/user-menu";
import { WorkspaceMenu } from "@/components/pages/frame/workspace-menu";
import { OVERLAY_LOOK } from "@/components/ui/overlays/dialog";
import { returnFocus } from "@/components/ui/overlays/return-focus";

/** The navigation on a narrow screen, over the page. */
export function NavDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Primitive.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Primitive.Portal>
        <Primitive.Overlay className={OVERLAY_LOOK} />
        <Primitive.Content
          onCloseAutoFocus={returnFocus}
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-modal flex w-[264px] max-w-[84vw] flex-col border-r border-border bg-app shadow-3 animate-fade focus:outline-none"
        >
          <Primitive.Title className="sr-only">Navigation</Primitive.Title>
          <WorkspaceMenu isRail={false} />
          <NavLinks layout="full" onNavigate={onClose} />
          <UserMenu isRail={false} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
