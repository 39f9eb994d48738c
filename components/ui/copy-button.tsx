"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";

interface CopyButtonProps {
  /** The text to copy. */
  value: string;
  /** "Copy run ID": read aloud, and shown as text when `hasText`. */
  label: string;
  hasText?: boolean;
  size?: "sm" | "md";
  autoFocus?: boolean;
  onCopied?: () => void;
}

/** Copies a text and shows for two seconds whether that worked. */
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

/** The clipboard API exists on secure origins only; over plain HTTP to another host the old command is needed. */
async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    // Inside an open dialog, whose focus trap would take the focus away from the body.
    (document.activeElement?.closest("[role=dialog]") ?? document.body).append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}
