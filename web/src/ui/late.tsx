/** What is waited for, where that takes longer than one notices. */
export function Late({ children }: { children: string }) {
  return (
    <p class="late" role="status">
      {children}
    </p>
  );
}
