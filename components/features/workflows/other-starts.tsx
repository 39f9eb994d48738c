"use client";

import { Ellipsis } from "lucide-react";
import { lazy } from "react";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { LazyMenu } from "@/components/ui/overlays/lazy-menu";

const loadMenu = () => import("@/components/features/workflows/start-menu");
const StartMenu = lazy(() => loadMenu().then((m) => ({ default: m.StartMenu })));

/** Templates and Import next to the button that creates a workflow: as buttons, or in a menu on a narrow screen. */
export function OtherStarts({ onImport }: { onImport: () => void }) {
  return (
    <>
      <span className="hidden gap-2 sm:flex">
        <Button asChild>
          <Link href="/templates">Templates</Link>
        </Button>
        <Button onClick={onImport}>Import</Button>
      </span>
      <span className="sm:hidden">
        <LazyMenu
          preload={loadMenu}
          trigger={<IconButton icon={Ellipsis} variant="secondary" label="Templates and import" />}
        >
          {(menu) => <StartMenu {...menu} onImport={onImport} />}
        </LazyMenu>
      </span>
    </>
  );
}
