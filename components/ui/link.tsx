"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

type LinkProps = Omit<ComponentProps<typeof NextLink>, "prefetch">;

/**
 * A link inside the application. It fetches its page when the pointer, a finger, or the focus reaches it. Next.js would
 * fetch every page whose link is visible: twenty requests for each page that someone reads.
 */
export function Link({ onPointerEnter, onFocus, ...props }: LinkProps) {
  const [isWanted, setWanted] = useState(false);
  return (
    <NextLink
      {...props}
      prefetch={isWanted ? null : false}
      onPointerEnter={(event) => {
        setWanted(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setWanted(true);
        onFocus?.(event);
      }}
    />
  );
}
