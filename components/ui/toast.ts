import type { ReactNode } from "react";
import type { ExternalToast } from "sonner";

type Kind = "message" | "success" | "error";

let announce: () => void = () => undefined;
const toasterStands = new Promise<void>((resolve) => {
  announce = resolve;
});

let want: () => void = () => undefined;
/** Resolves with the first message. */
export const firstToast = new Promise<void>((resolve) => {
  want = resolve;
});

/** The toaster calls this once it listens, and then shows earlier messages. */
export const announceToaster = (): void => announce();

const listeners = new Set<() => void>();

/** Calls the listener after each message appeared; returns a function that stops it. */
export function onToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Shows a message in the corner. Its code loads with the first message, so that no page waits for it. */
export const toast = Object.assign(sayer("message"), {
  message: sayer("message"),
  success: sayer("success"),
  error: sayer("error"),
  /** Removes the message that was shown with this id. */
  dismiss: (id: string): void => {
    void toasterStands.then(async () => (await import("sonner")).toast.dismiss(id));
  },
});

function sayer(kind: Kind) {
  return (text: ReactNode, options?: ExternalToast): void => {
    want();
    void toasterStands.then(async () => {
      const { toast: show } = await import("sonner");
      show[kind](text, options);
      for (const listener of listeners) listener();
    });
  };
}
