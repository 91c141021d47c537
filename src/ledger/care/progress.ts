/** For work that may take long. */
export interface CareOptions {
  /** Ends it; nothing has changed then. */
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
}
