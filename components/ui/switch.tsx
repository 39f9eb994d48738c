"use client";

import { clsx } from "clsx";
import * as Primitive from "radix-ui/switch";
import { type ReactNode, useId } from "react";

interface SwitchProps {
  label: ReactNode;
  description?: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  disabled?: boolean;
}

/** On or off, taking effect at once. */
export function Switch({ label, description, isOn, onChange, disabled = false }: SwitchProps) {
  const id = useId();
  return (
    <div className={clsx("flex items-start justify-between gap-4", disabled && "opacity-55")}>
      <div className="min-w-0">
        <label htmlFor={id} className="block cursor-pointer">
          {label}
        </label>
        {description === undefined ? null : (
          <p id={`${id}-description`} className="text-dense text-text-3">
            {description}
          </p>
        )}
      </div>
      <Primitive.Root
        id={id}
        checked={isOn}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-describedby={description === undefined ? undefined : `${id}-description`}
        className="relative mt-0.5 h-[18px] w-8 shrink-0 rounded-full border border-border-strong bg-sunken transition-colors after:absolute after:-inset-1 data-[state=checked]:border-accent-solid data-[state=checked]:bg-accent-solid"
      >
        <Primitive.Thumb className="block size-3 translate-x-0.5 rounded-full bg-border-strong transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-accent" />
      </Primitive.Root>
    </div>
  );
}
