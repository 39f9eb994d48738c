"use client";

import { clsx } from "clsx";
import { Check, type LucideIcon } from "lucide-react";
import * as Primitive from "radix-ui/dropdown-menu";
import type { ReactElement, ReactNode } from "react";

const ITEM_LOOK =
  "flex h-8 items-center gap-2 rounded-1 px-2 outline-none select-none data-[disabled]:opacity-50 " +
  "data-[highlighted]:bg-sunken data-[highlighted]:text-text";

interface DropdownMenuProps {
  isInitiallyOpen?: boolean;
  /** The button that opens it. */
  trigger: ReactElement;
  align?: "start" | "center" | "end";
  side?: "top" | "right" | "bottom" | "left";
  children: ReactNode;
  className?: string;
}

export function DropdownMenu(props: DropdownMenuProps) {
  const { trigger, align = "end", side = "bottom", isInitiallyOpen = false, children, className } = props;
  return (
    <Primitive.Root modal={false} defaultOpen={isInitiallyOpen}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className={clsx(
            "z-popover max-h-[var(--radix-dropdown-menu-content-available-height)] min-w-44 overflow-y-auto rounded-3 border border-border bg-raised p-1 text-text-2 shadow-2 animate-rise",
            className,
          )}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

interface MenuItemProps {
  icon?: LucideIcon;
  onSelect?: () => void;
  isDestructive?: boolean;
  disabled?: boolean;
  /** Renders the only child (a link) as the item. */
  asChild?: boolean;
  children: ReactNode;
}

export function MenuItem({ icon: Icon, onSelect, isDestructive, disabled, asChild, children }: MenuItemProps) {
  const look = clsx(ITEM_LOOK, isDestructive && "text-err data-[highlighted]:text-err");
  const common = { className: look, ...(onSelect ? { onSelect } : {}), ...(disabled ? { disabled } : {}) };
  if (asChild) {
    return (
      <Primitive.Item asChild {...common}>
        {children}
      </Primitive.Item>
    );
  }
  return (
    <Primitive.Item {...common}>
      {Icon === undefined ? null : <Icon aria-hidden className="size-4" strokeWidth={1.75} />}
      {children}
    </Primitive.Item>
  );
}

interface MenuCheckboxItemProps {
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  children: ReactNode;
}

/** An option that can be combined with others; the menu stays open. */
export function MenuCheckboxItem({ isChecked, onChange, children }: MenuCheckboxItemProps) {
  return (
    <Primitive.CheckboxItem
      checked={isChecked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={clsx(ITEM_LOOK, "pr-3")}
    >
      <span className="flex size-4 items-center justify-center rounded-1 border border-border-strong">
        <Primitive.ItemIndicator>
          <Check aria-hidden className="size-3 text-text" strokeWidth={3} />
        </Primitive.ItemIndicator>
      </span>
      {children}
    </Primitive.CheckboxItem>
  );
}

interface MenuRadioGroupProps {
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string; icon?: LucideIcon }[];
}

export function MenuRadioGroup({ value, onChange, options }: MenuRadioGroupProps) {
  return (
    <Primitive.RadioGroup value={value} onValueChange={onChange}>
      {options.map(({ value: option, label, icon: Icon }) => (
        <Primitive.RadioItem
          key={option}
          value={option}
          onSelect={(event) => event.preventDefault()}
          className={ITEM_LOOK}
        >
          {Icon === undefined ? null : <Icon aria-hidden className="size-4" strokeWidth={1.75} />}
          <span className="flex-1">{label}</span>
          <Primitive.ItemIndicator>
            <Check aria-hidden className="size-3.5 text-text" />
          </Primitive.ItemIndicator>
        </Primitive.RadioItem>
      ))}
    </Primitive.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Primitive.Label className="px-2 py-1.5 text-dense text-text-3">{children}</Primitive.Label>;
}

export function MenuSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-border" />;
}
