"use client";

import { lazy, Suspense, useState } from "react";
import type { AlertDialogProps } from "@/components/ui/overlays/alert-dialog";
import { useOnIntent } from "@/components/ui/use-on-intent";

const load = () => import("@/components/ui/overlays/alert-dialog");
const ON_INTENT = [load];
const AlertDialog = lazy(() => load().then((m) => ({ default: m.AlertDialog })));

/**
 * A question whose code loads once the user is about to use the page, for pages that are mostly read. Mount it with the page, not with the
 * question.
 */
export function LazyAlertDialog(props: AlertDialogProps) {
  const [wasOpen, setWasOpen] = useState(props.isOpen);
  if (props.isOpen && !wasOpen) setWasOpen(true);
  useOnIntent(ON_INTENT);
  if (!wasOpen) return null;
  return (
    <Suspense>
      <AlertDialog {...props} />
    </Suspense>
  );
}
