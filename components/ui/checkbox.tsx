"use client";

import { clsx } from "clsx";
import { Check } from "lucide-react";
import * as Primitive from "radix-ui/checkbox";
import { type ReactNode, useId } from "react";

interface CheckboxProps {
  label: ReactNode;
  description?: ReactNode;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  disabled?: boolean;
  name?: string;
}

/** A box with its label; the whole row is the target. */
export function Checkbox({ label, description, isChecked, onChange, disabled = false, name }: CheckboxProps) {
  const id = useId();
  return (
    <div className={clsx("flex gap-2.5", disabled && "opacity-55")}>
      <Primitive.Root
        id={id}
        name={name}
        checked={isChecked}
        onCheckedChange={(value) => onChange(value === true)}
        disabled={disabled}
        aria-describedby={description === undefined ? undefined : `${id}-description`}
        className="relative mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-1 border border-border-strong bg-surface after:absolute after:-inset-1 data-[state=checked]:border-accent-solid data-[state=checked]:bg-accent-solid"
      >
        <Primitive.Indicator>
          <Check aria-hidden className="size-3 text-on-accent" strokeWidth={3} />
        </Primitive.Indicator>
      </Primitive.Root>
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
    </div>
  );
}
