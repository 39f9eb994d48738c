import { Link } from "@/components/ui/link";

/** A card in the middle, and links to what needs no account. */
export default function SignedOutLayout({ children }: { children: React.ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center bg-canvas px-4 py-10">
      <p className="mb-6 flex items-center gap-2.5 text-title font-semibold">
        <span
          aria-hidden
          className="flex size-6 items-center justify-center rounded-[6px] bg-primary text-dense text-on-primary"
        >
          S
        </span>
        Signalbox
      </p>
      {children}
      <Link href="/docs" className="link mt-8 text-dense text-text-2">
        Documentation
      </Link>
    </main>
  );
}
