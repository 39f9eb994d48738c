"use client";

import { clsx } from "clsx";
import { ChevronsUpDown, LogOut, Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { useSession } from "@/components/shell/session-context";
import { useShortcutsEnabled } from "@/components/shell/shortcuts";
import {
  DropdownMenu,
  MenuCheckboxItem,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuSeparator,
} from "@/components/ui/dropdown-menu";

const THEMES = [
  { value: "system", label: "As the system", icon: Monitor },
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
] as const;

async function leave(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  await signOut({ callbackUrl: "/sign-in" });
}

export function UserMenu({ isRail }: { isRail: boolean }) {
  const { user, role } = useSession();
  const { theme, setTheme } = useTheme();
  const [hasShortcuts, setHasShortcuts] = useShortcutsEnabled();
  return (
    <div className="shrink-0 border-t border-border p-2">
      <DropdownMenu
        side="top"
        align="start"
        className="w-56"
        trigger={
          <button
            type="button"
            className={clsx(
              "flex w-full items-center gap-2.5 rounded-2 px-2 py-1.5 text-left hover:bg-nav-selected",
              isRail && "justify-center lg:justify-start",
            )}
          >
            <span
              aria-hidden
              className="flex size-6 shrink-0 items-center justify-center rounded-full border border-border-strong text-micro font-medium text-text-2"
            >
              {initialsOf(user.name)}
            </span>
            <span className={clsx("min-w-0 flex-1", isRail && "sr-only lg:not-sr-only")}>
              <span className="block truncate font-medium">{user.name}</span>
              <span className="block truncate text-dense text-text-3">{user.email}</span>
            </span>
            <ChevronsUpDown aria-hidden className={clsx("size-3.5 text-text-3", isRail && "hidden lg:block")} />
          </button>
        }
      >
        <MenuLabel>
          {user.name}, {role}
        </MenuLabel>
        <MenuSeparator />
        <MenuLabel>Theme</MenuLabel>
        <MenuRadioGroup value={theme ?? "system"} onChange={setTheme} options={THEMES} />
        <MenuSeparator />
        <MenuCheckboxItem isChecked={hasShortcuts} onChange={setHasShortcuts}>
          Single-key shortcuts
        </MenuCheckboxItem>
        <MenuSeparator />
        <MenuItem icon={LogOut} onSelect={() => void leave()}>
          Sign out
        </MenuItem>
      </DropdownMenu>
    </div>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.slice(0, 1) ?? "");
  return letters.join("").toUpperCase();
}
