import { expect } from 'vitest';
import { FermataError } from '../../../src/schema/error.ts';

/** The message of a refusal; the test fails if nothing was refused, or on another error. */
export function refusal(read: () => unknown): string {
  const message = attempt(read);
  expect(message, 'it was not refused').toBeDefined();
  return message ?? '';
}

/** Undefined if it worked, the message if it was refused; anything else fails the test. */
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
