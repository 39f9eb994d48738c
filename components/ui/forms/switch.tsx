"use client";

import { clsx } from "clsx";
import { type ReactNode, useId } from "react";

interface SwitchProps {
  label: ReactNode;
  description?: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  disabled?: boolean;
}

/** A switch that takes effect at once. The browser's own checkbox is invisible and larger than what is drawn. */
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
      <span className="relative mt-0.5 block h-[18px] w-8 shrink-0">
        <input
          type="checkbox"
          role="switch"
          id={id}
          checked={isOn}
          aria-checked={isOn}
          onChange={(event) => onChange(event.target.checked)}
          disabled={disabled}
          aria-describedby={description === undefined ? undefined : `${id}-description`}
          className="peer absolute -inset-1 h-[26px] w-10 appearance-none rounded-full"
        />
        <span
          aria-hidden
          className="pointer-events-none flex size-full items-center rounded-full border border-border-strong bg-sunken transition-colors peer-checked:border-accent-solid peer-checked:bg-accent-solid peer-checked:*:translate-x-4 peer-checked:*:bg-on-accent"
        >
          <span className="block size-3 translate-x-0.5 rounded-full bg-border-strong transition-transform" />
        </span>
      </span>
    </div>
  );
}
