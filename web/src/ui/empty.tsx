import type { ComponentChildren } from 'preact';

/** An empty state: why, and what to do next. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <svg class="empty-sign" viewBox="0 0 48 32" aria-hidden="true">
        <path d="M4 28a20 20 0 0 1 40 0" />
        <circle cx="24" cy="26" r="3" />
      </svg>
      <h2>{title}</h2>
      <div class="empty-text">{children}</div>
    </div>
  );
}

export const Command = ({ children }: { children: string }) => <code class="command">{children}</code>;
