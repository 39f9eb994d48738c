"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { firstToast } from "@/components/ui/toast";
import { useOnIntent } from "@/components/ui/use-on-intent";

const load = () => import("@/components/pages/frame/toaster");
const ON_INTENT = [load];
const ThemedToaster = lazy(() => load().then((m) => ({ default: m.ThemedToaster })));

/** Shows messages, from the first one on. */
export function Toasts() {
  const [isWanted, setWanted] = useState(false);
  useOnIntent(ON_INTENT);
  useEffect(() => void firstToast.then(() => setWanted(true)), []);
  return isWanted ? (
    <Suspense>
      <ThemedToaster />
    </Suspense>
  ) : null;
}
