import { toast } from "@/components/ui/toast";

/** Puts a text on the clipboard and says so; where the browser has none, it shows the text to be copied by hand. */
export function copyText(text: string, said: string): void {
  // The interface is missing on plain http.
  const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
  written.then(
    () => toast(said),
    () => toast(`Copying failed. The text is ${text.slice(0, 300)}`),
  );
}
