"use client";

import { useRef } from "react";
import { useShortcuts } from "@/components/shell/shortcuts";
import { SearchField } from "@/components/ui/search-field";
import { Toolbar } from "@/components/ui/toolbar";

interface WorkflowSearchProps {
  value: string;
  onChange: (value: string) => void;
}

export function WorkflowSearch({ value, onChange }: WorkflowSearchProps) {
  const search = useRef<HTMLInputElement>(null);
  useShortcuts({ "/": () => search.current?.focus() });
  return (
    <Toolbar>
      <SearchField
        label="Search workflows"
        value={value}
        onChange={onChange}
        inputRef={search}
        className="w-full sm:w-72"
      />
    </Toolbar>
  );
}
