/** Never runs two reads at once; requests during a read cause one more. */
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
