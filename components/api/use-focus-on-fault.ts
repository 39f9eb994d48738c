import { type RefObject, useEffect } from "react";

/**
 * Focuses the first field with a fault after an attempt, once its faults are on the page.
 * @param attempt the number of the attempt; 0 before the first and while one is in progress
 */
export function useFocusOnFault(form: RefObject<HTMLFormElement | null>, attempt: number): void {
  useEffect(() => {
    if (attempt > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, attempt]);
}
