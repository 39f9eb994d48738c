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
      ["⇧N", "Add a note"],
      ["⌘C  ⌘X  ⌘V", "Copy, cut, paste; into other workflows too"],
      ["⌘D", "Duplicate"],
      ["Del", "Delete"],
      ["⌘Z", "Undo"],
      ["⌘⇧Z", "Redo"],
      ["⇧L", "Tidy the drawing"],
      ["⌥ and arrows", "Move by one grid step"],
    ],
  },
  {
    title: "Move about",
    keys: [
      ["Arrows", "Walk along the lines"],
      ["⇧ and arrows", "Select what is passed as well"],
      ["⌘K", "Command palette"],
      ["⌘F", "Find in this workflow"],
      ["Enter", "Open the step's panel, or the note's text"],
      ["F2", "Rename the step"],
      ["Esc", "Close the panel, then clear the selection"],
      ["⌘A", "Select all"],
      ["⇧F10", "Menu of what has the focus"],
      ["O", "Outline"],
    ],
  },
  {
    title: "View",
    keys: [
      ["1", "Fit to view"],
      ["0", "100%"],
      ["+  −", "Zoom in and out"],
      ["Space and drag", "Pan"],
      ["M", "Map of the drawing"],
    ],
  },
  {
    title: "Workflow",
    keys: [
      ["⌘↵", "Run the draft"],
      ["⌘⇧↵", "Test the selected step"],
      ["P", "Pin its last output, or unpin it"],
      ["⌘S", "Save now"],
      ["⌘⇧P", "Publish"],
    ],
  },
];

/** Every key of the canvas, and the switch that turns single letters off. */
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
          description="Turn them off if you speak to your computer. Chords stay."
          isOn={isEnabled}
          onChange={setEnabled}
        />
      </div>
    </Dialog>
  );
}
