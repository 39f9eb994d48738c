"use client";

import { clsx } from "clsx";
import { Check } from "lucide-react";
import { type ReactNode, useId } from "react";

interface CheckboxProps {
  label: ReactNode;
  description?: ReactNode;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  disabled?: boolean;
  name?: string;
}

/** A box with its label; the whole row is the target. The browser's own box, invisible and larger than what is drawn. */
export function Checkbox({ label, description, isChecked, onChange, disabled = false, name }: CheckboxProps) {
  const id = useId();
  return (
    <div className={clsx("flex gap-2.5", disabled && "opacity-55")}>
      <span className="relative mt-0.5 block size-4 shrink-0">
        <input
          type="checkbox"
          id={id}
          name={name}
          checked={isChecked}
          onChange={(event) => onChange(event.target.checked)}
          disabled={disabled}
          aria-describedby={description === undefined ? undefined : `${id}-description`}
          className="peer absolute -inset-1 size-6 appearance-none rounded-1"
        />
        <span
          aria-hidden
          className="pointer-events-none flex size-4 items-center justify-center rounded-1 border border-border-strong bg-surface text-on-accent peer-checked:border-accent-solid peer-checked:bg-accent-solid"
        >
          {/* Not hidden by its color, because forced colors would show it. */}
          {isChecked ? <Check className="size-3" strokeWidth={3} /> : null}
        </span>
      </span>
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
