"use client";

import type { ReactElement, RefObject } from "react";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Kbd } from "@/components/ui/forms/kbd";
import { DropdownMenu, MenuItem, MenuSeparator } from "@/components/ui/overlays/dropdown-menu";

const STEP = 1.2;

interface ZoomMenuProps {
  trigger: ReactElement;
  isInitiallyOpen: true;
  controls: RefObject<CanvasControls>;
}

export function ZoomMenu({ controls, ...menu }: ZoomMenuProps) {
  const hasSelection = useEditor((state) => state.selectedNodeIds.length + state.selectedNoteIds.length > 0);
  return (
    <DropdownMenu {...menu} side="top" align="center" className="w-52">
      <ZoomItem label="Zoom in" shortcut="+" onSelect={() => controls.current.zoomBy(STEP)} />
      <ZoomItem label="Zoom out" shortcut="−" onSelect={() => controls.current.zoomBy(1 / STEP)} />
      <MenuSeparator />
      <ZoomItem label="50%" onSelect={() => controls.current.zoomTo(0.5)} />
      <ZoomItem label="100%" shortcut="0" onSelect={() => controls.current.zoomTo(1)} />
      <ZoomItem label="200%" onSelect={() => controls.current.zoomTo(2)} />
      <MenuSeparator />
      <ZoomItem label="Fit to view" shortcut="1" onSelect={() => controls.current.fit()} />
      <ZoomItem
        label="Fit the selection"
        shortcut="2"
        isDisabled={!hasSelection}
        onSelect={() => controls.current.fitSelection()}
      />
    </DropdownMenu>
  );
}

interface ZoomItemProps {
  label: string;
  shortcut?: string;
  isDisabled?: boolean;
  onSelect: () => void;
}

function ZoomItem({ label, shortcut, isDisabled = false, onSelect }: ZoomItemProps) {
  return (
    <MenuItem disabled={isDisabled} onSelect={onSelect}>
      <span className="flex-1">{label}</span>
      {shortcut === undefined ? null : (
        <span aria-hidden>
          <Kbd>{shortcut}</Kbd>
        </span>
      )}
    </MenuItem>
  );
}
