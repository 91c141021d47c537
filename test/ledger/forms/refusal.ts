import { expect } from 'vitest';
import { FermataError } from '../../../src/schema/error.ts';

/** What a person is told where something is refused; the test fails where it is not, or where it crashes. */
export function refusal(read: () => unknown): string {
  const message = attempt(read);
  expect(message, 'it was not refused').toBeDefined();
  return message ?? '';
}

/** Undefined where it worked, the message where it was refused; anything else fails the test. */
export function attempt(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    expect(error.code).toBe('invalid');
    return error.message;
  }
}
