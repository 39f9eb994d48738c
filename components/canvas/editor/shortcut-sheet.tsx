"use client";

import { useShortcutsEnabled } from "@/components/shell/shortcuts";
import { Kbd } from "@/components/ui/forms/kbd";
import { Switch } from "@/components/ui/forms/switch";
import { Dialog } from "@/components/ui/overlays/dialog";

const GROUPS: readonly { title: string; keys: readonly (readonly [keys: string, does: string])[] }[] = [
  {
    title: "Edit",
    keys: [
      ["N", "Add a step after the selected one"],
      ["→", "Show an app's operations in the step picker"],
      ["⇧N", "Add a note"],
      ["⌘C  ⌘X  ⌘V", "Copy, cut and paste, also between workflows"],
      ["⌘D", "Duplicate"],
      ["D", "Disable or enable the selected steps"],
      ["Del", "Delete"],
      ["⌘Z", "Undo"],
      ["⌘⇧Z", "Redo"],
      ["⇧L", "Tidy layout"],
      ["⇧T", "Draw from left to right or from top to bottom"],
      ["⌥ and arrows", "Move by one grid step"],
      ["⌥⇧ and arrows", "Move by five grid steps"],
      ["⌘ while dragging", "Move without snapping"],
    ],
  },
  {
    title: "Navigate",
    keys: [
      ["Arrows", "Follow the lines between steps"],
      ["⇧ and arrows", "Extend the selection"],
      ["⌘K", "Command palette"],
      ["⌘F", "Find in this workflow"],
      ["Enter", "Open the step full size or edit the note"],
      ["⌥PgUp  ⌥PgDn", "Previous and next step, full size"],
      ["F6  ⇧F6", "Next and previous column, full size"],
      ["F2", "Rename the step"],
      ["Esc", "Close the panel, then clear the selection"],
      ["⌘A", "Select all"],
      ["⇧F10", "Open the context menu"],
      ["O", "Outline"],
    ],
  },
  {
    title: "View",
    keys: [
      ["1", "Fit to view"],
      ["2", "Fit the selection"],
      ["0", "100%"],
      ["+  −", "Zoom in and out"],
      ["Space and drag", "Pan"],
      ["M", "Minimap, when some steps are out of view"],
      ["⌘B", "Collapse or expand the sidebar"],
    ],
  },
  {
    title: "Workflow",
    keys: [
      ["⌘↵", "Run the draft, or test the full-size step"],
      ["⌘⇧↵", "Test the selected step"],
      ["P", "Pin or unpin its last output"],
      ["⌘S", "Save now"],
      ["⌘⇧P", "Publish"],
    ],
  },
];

/** Lists every canvas shortcut, with the switch that turns single keys off. */
export function ShortcutSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [isEnabled, setEnabled] = useShortcutsEnabled();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts">
      <div className="grid gap-5 sm:grid-cols-2">
        {GROUPS.map((group) => (
          <section key={group.title}>
            <h3 className="mb-1.5 font-semibold">{group.title}</h3>
            <dl className="flex flex-col gap-1.5">
              {group.keys.map(([keys, does]) => (
                <div key={keys} className="flex items-baseline justify-between gap-3">
                  <dt className="text-text-2">{does}</dt>
                  <dd className="shrink-0">
                    <Kbd>{keys}</Kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="mt-5 border-t border-border pt-4">
        <Switch
          label="Single-key shortcuts"
          description="Turn these off if you use voice control. Key combinations still work."
          isOn={isEnabled}
          onChange={setEnabled}
        />
      </div>
    </Dialog>
  );
}
