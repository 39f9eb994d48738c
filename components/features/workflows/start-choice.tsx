import { clsx } from "clsx";
import { ClipboardList, Clock, type LucideIcon, Webhook, Zap } from "lucide-react";
import { useId } from "react";
import type { Start } from "@/components/features/workflows/starting-points";

const CHOICES: readonly { value: Start; icon: LucideIcon; word: string; about: string }[] = [
  { value: "call", icon: Zap, word: "A call", about: "Agents call it as an action" },
  { value: "webhook", icon: Webhook, word: "A webhook", about: "Another service sends an event" },
  { value: "form", icon: ClipboardList, word: "A form", about: "Someone fills in a page" },
  { value: "schedule", icon: Clock, word: "A schedule", about: "Runs at set times" },
];

/** Lets the user choose what starts the workflow; fixed at the first publish. */
export function StartChoice({ value, onChange }: { value: Start; onChange: (start: Start) => void }) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium">Trigger</legend>
      <div className="grid gap-2 grid-cols-2 sm:grid-cols-4">
        {CHOICES.map(({ value: choice, icon: Icon, word, about }) => (
          <label
            key={choice}
            className={clsx(
              "flex cursor-pointer flex-col gap-0.5 rounded-2 border p-2.5 focus-within:outline-2 focus-within:outline-accent",
              choice === value ? "border-accent bg-accent-weak" : "border-border hover:border-border-strong",
            )}
          >
            <input
              type="radio"
              name={name}
              checked={choice === value}
              onChange={() => onChange(choice)}
              className="sr-only"
            />
            <span className="flex items-center gap-1.5 font-medium">
              <Icon aria-hidden className="size-4 text-text-2" strokeWidth={1.75} />
              {word}
            </span>
            <span className="text-dense text-text-2">{about}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
