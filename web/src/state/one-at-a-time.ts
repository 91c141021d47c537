/** Reads again and again, but never twice at the same time: what is asked for meanwhile is one more reading. */
export function oneAtATime(read: () => Promise<void>): () => Promise<void> {
  let reading: Promise<void> | undefined;
  let again = false;
  const start = async (): Promise<void> => {
    try {
      do {
        again = false;
        await read();
      } while (again);
    } finally {
      reading = undefined;
    }
  };
  return () => {
    again = true;
    reading ??= start();
    return reading;
  };
}
