import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { Link } from "@/components/ui/link";

/** Makes the whole table row a link whose accessible name is its own text. Put it in the first cell. */
export function RowLink({ className, ...props }: ComponentProps<typeof Link>) {
  return <Link className={clsx("rounded-1 font-medium after:absolute after:inset-0", className)} {...props} />;
}
