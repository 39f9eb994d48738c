"use client";

import { ListChecks, LogOut, Monitor, Moon, Sun, UserRound } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import type { ReactElement } from "react";
import { useFirstSteps } from "@/components/features/onboarding/use-first-steps";
import { useSession } from "@/components/shell/session-context";
import { useShortcutsEnabled } from "@/components/shell/shortcuts";
import {
  DropdownMenu,
  MenuCheckboxItem,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuSeparator,
} from "@/components/ui/overlays/dropdown-menu";

const THEMES = [
  { value: "system", label: "System", icon: Monitor },
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
] as const;

async function leave(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  await signOut({ callbackUrl: "/sign-in" });
}

interface UserMenuItemsProps {
  trigger: ReactElement;
  isInitiallyOpen: boolean;
}

/** The signed-in user, the theme, the shortcuts, and the sign-out. */
export function UserMenuItems(menu: UserMenuItemsProps) {
  const { user, role, workspace } = useSession();
  const [, wantFirstSteps] = useFirstSteps(workspace.workspace_id);
  const router = useRouter();
  const { theme, setTheme } = useTheme();
  const [hasShortcuts, setHasShortcuts] = useShortcutsEnabled();
  return (
    <DropdownMenu {...menu} side="top" align="start" className="w-56">
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
      <MenuItem
        icon={ListChecks}
        onSelect={() => {
          wantFirstSteps("asked");
          router.push("/workflows");
        }}
      >
        First steps
      </MenuItem>
      <MenuItem icon={UserRound} onSelect={() => router.push("/settings/account")}>
        Your account
      </MenuItem>
      <MenuItem icon={LogOut} onSelect={() => void leave()}>
        Sign out
      </MenuItem>
    </DropdownMenu>
  );
}
