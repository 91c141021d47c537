/** The result of one check of the machine. */
export interface Check {
  name: string;
  status: 'ok' | 'warning' | 'error';
  detail: string;
  /** What to do about it. */
  fix?: string;
}

export const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail });
export const warning = (name: string, detail: string, fix?: string): Check => ({
  name,
  status: 'warning',
  detail,
  fix,
});
export const error = (name: string, detail: string, fix?: string): Check => ({
  name,
  status: 'error',
  detail,
  fix,
});
