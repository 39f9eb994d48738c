"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Input } from "@/components/ui/forms/input";
import { IconButton } from "@/components/ui/icon-button";

type PasswordInputProps = Omit<ComponentProps<typeof Input>, "type"> & {
  autoComplete: "current-password" | "new-password";
};

/** A password input that can show its text, allows pasting, and works with password managers. */
export function PasswordInput(props: PasswordInputProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <span className="relative block">
      <Input
        {...props}
        type={isShown ? "text" : "password"}
        className="pr-9"
        spellCheck={false}
        autoCapitalize="none"
      />
      <span className="absolute top-[3px] right-[3px]">
        <IconButton
          size="sm"
          icon={isShown ? EyeOff : Eye}
          label={isShown ? "Hide the password" : "Show the password"}
          onClick={() => setIsShown(!isShown)}
        />
      </span>
    </span>
  );
}
