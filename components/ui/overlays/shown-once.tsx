import { CopyButton } from "@/components/ui/copy-button";

interface ShownOnceProps {
  value: string;
  copyLabel: string;
  testId: string;
}

/** A secret that is shown in full only this one time, with the copy button focused. */
export function ShownOnce({ value, copyLabel, testId }: ShownOnceProps) {
  return (
    <div className="flex items-center gap-2 rounded-3 border border-border-strong bg-sunken py-2 pr-2 pl-3">
      <code data-testid={testId} className="min-w-0 flex-1 font-mono text-dense [overflow-wrap:anywhere]">
        {value}
      </code>
      <CopyButton value={value} label={copyLabel} hasText autoFocus size="md" />
    </div>
  );
}
