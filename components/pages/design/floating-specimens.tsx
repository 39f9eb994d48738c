"use client";

import { ChevronDown, MonitorCog, Moon, PencilLine, Sun, Trash2 } from "lucide-react";
import { lazy, useState } from "react";
import { Specimen, SpecimenSheet } from "@/components/pages/design/specimen";
import { WindowSpecimens } from "@/components/pages/design/window-specimens";
import { Button } from "@/components/ui/button";
import { ContextItem, ContextMenu, ContextSeparator } from "@/components/ui/overlays/context-menu";
import {
  DropdownMenu,
  MenuCheckboxItem,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuSeparator,
} from "@/components/ui/overlays/dropdown-menu";
import { LazyMenu } from "@/components/ui/overlays/lazy-menu";
import { LazyPopover } from "@/components/ui/overlays/lazy-popover";
import { Popover } from "@/components/ui/overlays/popover";
import { toast } from "@/components/ui/toast";
import { Tooltip } from "@/components/ui/tooltip";

const loadChoices = () => import("@/components/ui/overlays/choice-menu");
const ChoiceMenu = lazy(() => loadChoices().then((m) => ({ default: m.ChoiceMenu })));

/** Everything that opens over the page. */
export function FloatingSpecimens() {
  return (
    <SpecimenSheet>
      <WindowSpecimens />
      <MenuSpecimens />
      <ChoiceSpecimen />
      <LazyPopoverSpecimen />
      <Specimen name="Popover and tooltip">
        <Popover label="Why" trigger={<Button>Why is it paused?</Button>} className="w-64">
          <p>Five calls in a row failed. The next one is tried at 14:05.</p>
        </Popover>
        <Tooltip content="To publish, you need the role editor or higher." shortcut="⌘⇧P">
          <Button>Hover over me</Button>
        </Tooltip>
      </Specimen>
      <Specimen name="Toasts">
        <Button onClick={() => toast.message("Step deleted.", { action: { label: "Undo", onClick: () => undefined } })}>
          With an action
        </Button>
        <Button onClick={() => toast.success("Saved.")}>Success</Button>
        <Button onClick={() => toast.error("The key could not be revoked. Try again.")}>Error</Button>
      </Specimen>
    </SpecimenSheet>
  );
}

function LazyPopoverSpecimen() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Specimen name="Popover, loaded on demand">
      <LazyPopover label="Problems" trigger={<Button>2 problems</Button>} isOpen={isOpen} onOpenChange={setOpen}>
        <p>The address is missing.</p>
      </LazyPopover>
    </Specimen>
  );
}

function MenuSpecimens() {
  const [theme, setTheme] = useState("system");
  const [isShown, setShown] = useState(true);
  return (
    <Specimen name="Menus">
      <DropdownMenu align="start" trigger={<Button>Menu of a row</Button>}>
        <MenuLabel>Order status</MenuLabel>
        <MenuItem icon={PencilLine} onSelect={chosen("Rename")}>
          Rename…
        </MenuItem>
        <MenuItem disabled>Not now</MenuItem>
        <MenuSeparator />
        <MenuCheckboxItem isChecked={isShown} onChange={setShown}>
          Single-key shortcuts
        </MenuCheckboxItem>
        <MenuRadioGroup
          value={theme}
          onChange={setTheme}
          options={[
            { value: "system", label: "System", icon: MonitorCog },
            { value: "light", label: "Light", icon: Sun },
            { value: "dark", label: "Dark", icon: Moon },
          ]}
        />
        <MenuSeparator />
        <MenuItem icon={Trash2} isDestructive onSelect={chosen("Delete")}>
          Delete…
        </MenuItem>
      </DropdownMenu>
      <ContextSpecimen />
    </Specimen>
  );
}

function ContextSpecimen() {
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  return (
    <>
      <button
        type="button"
        onContextMenu={(event) => {
          event.preventDefault();
          setAt({ x: event.clientX, y: event.clientY });
        }}
        className="h-control rounded-2 border border-dashed border-border-strong px-3 text-text-2"
      >
        Right-click, or ⇧F10
      </button>
      {at === null ? null : (
        <ContextMenu label="Drawing" at={at} onClose={() => setAt(null)}>
          <ContextItem shortcut="N" onSelect={chosen("Add a step here")}>
            Add a step here
          </ContextItem>
          <ContextItem disabled onSelect={chosen("Paste")}>
            Paste
          </ContextItem>
          <ContextSeparator />
          <ContextItem isDestructive shortcut="Del" onSelect={chosen("Delete")}>
            Delete
          </ContextItem>
        </ContextMenu>
      )}
    </>
  );
}

function chosen(what: string): () => void {
  return () => void toast.message(`${what} was chosen.`);
}

function ChoiceSpecimen() {
  const [chosen, setChosen] = useState<readonly string[]>(["Failed"]);
  return (
    <Specimen name="Multiple choice, loaded on demand">
      <LazyMenu
        preload={loadChoices}
        trigger={
          <Button className="font-normal">
            Status: {chosen.length} chosen
            <ChevronDown aria-hidden className="size-3.5 text-text-3" />
          </Button>
        }
      >
        {(menu) => (
          <ChoiceMenu
            {...menu}
            items={["Queued", "Failed", "Timed out"].map((label) => ({
              key: label,
              label,
              isChosen: chosen.includes(label),
            }))}
            onChange={(key, isChosen) =>
              setChosen((before) => (isChosen ? [...before, key] : before.filter((one) => one !== key)))
            }
          />
        )}
      </LazyMenu>
    </Specimen>
  );
}
