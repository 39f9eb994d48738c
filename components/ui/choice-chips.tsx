import { clsx } from "clsx";

interface ChoiceChipsProps<T> {
  label: string;
  choices: readonly { value: T; label: string }[];
  chosen: T;
  onChoose: (value: T) => void;
  className?: string;
}

/** Buttons of which one is chosen, in as many rows as they need. */
export function ChoiceChips<T extends string | null>(props: ChoiceChipsProps<T>) {
  const { label, choices, chosen, onChoose, className } = props;
  return (
    <fieldset aria-label={label} className={clsx("flex min-w-0 flex-wrap gap-1", className)}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === chosen}
          onClick={() => onChoose(choice.value)}
          className={clsx(
            "h-6 shrink-0 rounded-full px-2.5 text-dense pointer-coarse:h-9",
            choice.value === chosen ? "bg-accent-weak font-medium text-accent" : "text-text-2 hover:bg-sunken",
          )}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}
