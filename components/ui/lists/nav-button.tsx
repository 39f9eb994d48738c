"use client";

import { Menu } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";
import { useNavDrawer } from "@/components/ui/lists/nav-drawer-context";

/** Opens the navigation on a screen that is too narrow to show it. */
export function NavButton() {
  const drawer = useNavDrawer();
  if (drawer === null) return null;
  return (
    <span className="md:hidden">
      <IconButton icon={Menu} label="Open navigation" onClick={drawer.open} />
    </span>
  );
}
