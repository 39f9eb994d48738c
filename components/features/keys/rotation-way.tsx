import { clsx } from "clsx";
import { type ReactNode, useId } from "react";

export type RotationWay = "beside" | "at_once";

interface RotationWayChoiceProps {
  way: RotationWay;
  onChange: (way: RotationWay) => void;
  /** The visible part of the key. */
  prefix: string;
  /** Whether the plan allows one more key. */
  hasRoom: boolean;
}

/** Offers both rotations of the contract: with a period in which both keys work, and without one. */
export function RotationWayChoice({ way, onChange, prefix, hasRoom }: RotationWayChoiceProps) {
  const group = useId();
  const option = (value: RotationWay, label: string, text: ReactNode) => (
    <label
      className={clsx(
        "flex items-start gap-2.5 rounded-2 border p-2.5",
        value === way ? "border-accent bg-accent-weak" : "border-border",
        value === "beside" && !hasRoom ? "" : "cursor-pointer hover:border-border-strong",
      )}
    >
      <input
        type="radio"
        name={group}
        checked={value === way}
        disabled={value === "beside" && !hasRoom}
        onChange={() => onChange(value)}
        className="mt-1 accent-accent-solid"
      />
      <span>
        <span className="block font-medium text-text">{label}</span>
        <span className="block text-dense">{text}</span>
      </span>
    </label>
  );
  const old = <code className="font-mono text-text">{prefix}…</code>;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">How</legend>
      {option(
        "beside",
        "Without downtime",
        hasRoom ? (
          <>
            {old} keeps working until you revoke it. This page shows when calls use the new key and no longer use the
            old one.
          </>
        ) : (
          "Your plan doesn't allow another key. Revoke one to make room."
        ),
      )}
      {option(
        "at_once",
        "Immediately",
        <>
          Revokes {old} <strong>immediately</strong>: calls with it get 401 from then on.
        </>,
      )}
    </fieldset>
  );
}
