import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/**
 * Moves the focus to the only element of a box that can be reached with Tab, when another one becomes it while the focus
 * is in the box. The element that had the focus may be gone by then: a long list renders only the rows near the visible
 * part.
 * @param active identifies that element
 */
export function useFocusFollows(box: RefObject<HTMLElement | null>, active: unknown): void {
  const isInside = useRef(false);
  useEffect(() => {
    const element = box.current;
    const enter = () => {
      isInside.current = true;
    };
    const leave = ({ relatedTarget }: FocusEvent) => {
      // A removed element leaves the focus nowhere.
      isInside.current = relatedTarget === null;
    };
    element?.addEventListener("focusin", enter);
    element?.addEventListener("focusout", leave);
    return () => {
      element?.removeEventListener("focusin", enter);
      element?.removeEventListener("focusout", leave);
    };
  }, [box]);
  useLayoutEffect(() => {
    const element = box.current;
    const focused = document.activeElement;
    const isElsewhere = focused !== null && focused !== document.body && element?.contains(focused) === false;
    if (active === undefined || !isInside.current || isElsewhere) return;
    element?.querySelector<HTMLElement>("[tabindex='0']")?.focus({ preventScroll: true });
  }, [box, active]);
}
