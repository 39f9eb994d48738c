"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";

interface CopyButtonProps {
  /** What lands on the clipboard. */
  value: string;
  /** "Copy run id": read aloud, and shown as text when `hasText`. */
  label: string;
  hasText?: boolean;
  size?: "sm" | "md";
  autoFocus?: boolean;
  onCopied?: () => void;
}

/** Copies, and says for two seconds whether it did. */
export function CopyButton({ value, label, hasText = false, size = "sm", autoFocus, onCopied }: CopyButtonProps) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  async function copy() {
    const isCopied = await writeClipboard(value);
    setState(isCopied ? "copied" : "failed");
    if (isCopied) onCopied?.();
  }
  const said = state === "copied" ? "Copied" : state === "failed" ? "Copying failed; select the text instead" : "";
  const Icon = state === "copied" ? Check : Copy;
  return (
    <>
      {hasText ? (
        <Button size={size} onClick={() => void copy()} autoFocus={autoFocus}>
          <Icon aria-hidden className="size-3.5" />
          {state === "copied" ? "Copied" : label}
        </Button>
      ) : (
        <IconButton icon={Icon} label={said || label} size={size} onClick={() => void copy()} autoFocus={autoFocus} />
      )}
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}

/** The clipboard interface exists on secure origins only; plain http to another host needs the old way. */
async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    // Inside an open dialog, where the focus trap would take the focus away from the body.
    (document.activeElement?.closest("[role=dialog]") ?? document.body).append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}
