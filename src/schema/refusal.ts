import { type ErrorCode, FermataError } from './error.ts';

/** Why work was refused: a type for programs, what to do next, and data about it. */
export class Refusal extends FermataError {
  readonly type: string;
  readonly suggestion: string | undefined;

  constructor(
    type: string,
    message: string,
    { suggestion, data, code = 'conflict' }: { suggestion?: string; data?: object; code?: ErrorCode } = {},
  ) {
    super(code, message, { details: data });
    this.name = 'Refusal';
    this.type = type;
    this.suggestion = suggestion;
  }
}
