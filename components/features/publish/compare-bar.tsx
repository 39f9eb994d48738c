"use client";

import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/forms/select";

interface CompareBarProps {
  /** Newest first. */
  versions: readonly number[];
  from: number | null;
  to: number | "draft" | null;
  /** Null shows the list again. */
  onChange: (next: { from: number; to: number | "draft" } | null) => void;
}

/** Selects the two versions to compare; the draft counts as the newest. */
export function CompareBar({ versions, from, to, onChange }: CompareBarProps) {
  const newest = versions[0] ?? 1;
  const isComparing = from !== null && to !== null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-text-2">Compare</span>
      <Select
        aria-label="Compare from"
        className="w-auto"
        value={from ?? newest}
        onChange={({ target }) => onChange({ from: Number(target.value), to: to ?? "draft" })}
      >
        {versions.map((version) => (
          <option key={version} value={version}>
            Version {version}
          </option>
        ))}
      </Select>
      <span className="text-text-2">with</span>
      <Select
        aria-label="Compare with"
        className="w-auto"
        value={to ?? "draft"}
        onChange={({ target }) =>
          onChange({ from: from ?? newest, to: target.value === "draft" ? "draft" : Number(target.value) })
        }
      >
        <option value="draft">The draft</option>
        {versions.map((version) => (
          <option key={version} value={version}>
            Version {version}
          </option>
        ))}
      </Select>
      {isComparing ? (
        <Button variant="ghost" onClick={() => onChange(null)}>
          All versions
        </Button>
      ) : (
        <Button onClick={() => onChange({ from: newest, to: "draft" })}>Compare</Button>
      )}
    </div>
  );
}
