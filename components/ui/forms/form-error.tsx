/** The error of a form as a whole; renders nothing without one. */
export function FormError({ children }: { children: string | null }) {
  if (children === null) return null;
  return (
    <p role="alert" className="rounded-2 bg-err-bg px-3 py-2 [overflow-wrap:anywhere] text-err">
      {children}
    </p>
  );
}
