/** One card in the middle, nothing else. */
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
    </main>
  );
}
