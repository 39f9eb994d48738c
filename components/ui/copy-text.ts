import { toast } from "@/components/ui/toast";

/** Copies a text to the clipboard and says so. Without a clipboard, it shows the text so that the user can copy it. */
export function copyText(text: string, said: string): void {
  // Browsers leave out the clipboard API on plain HTTP.
  const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
  written.then(
    () => toast(said),
    () => toast(`Couldn't copy. The text is ${text.slice(0, 300)}`),
  );
}
