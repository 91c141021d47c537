import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { ElicitationForm } from '../ledger/forms/elicitation-writer.ts';

/** A tool that a model may call. */
export interface Tool {
  name: string;
  /** For people, in a client's list of tools. */
  title: string;
  /** For the model. */
  description: string;
  annotations: ToolAnnotations;
  input: z.ZodObject;
  /** The shape of `structured`. Without it, a client has only the text. */
  output?: z.ZodObject;
  call(input: Record<string, unknown>, call: ToolCall): Promise<ToolResult>;
}

export interface ToolCall {
  /** Aborted when the client cancels the call or goes away; the reason is the client's, if it gave one. */
  signal: AbortSignal;
  /** The client's own name, such as `claude-code`. */
  client: string;
  /** Names the question that the call waits for, for a client that wants progress: it may give up before the answer. */
  waitsFor(id: string): void;
  /** How this client shows forms to the person who uses it; undefined if it cannot. */
  forms?: Forms;
}

export type Forms =
  /** Until protocol version 2025-11-25: we send the form during the call. The result is MCP's. */
  | { kind: 'sent'; show(form: ElicitationForm, signal: AbortSignal): Promise<unknown> }
  /** Since 2026-07-28: the call ends with the form, and the client calls again with the person's response. */
  | { kind: 'returned'; reply: unknown };

export type ToolResult = ToolReply | { form: ElicitationForm };

export interface ToolReply {
  text: string;
  structured?: Record<string, unknown>;
  /** Called when the result is on its way to the client. */
  sent?(): Promise<void>;
}
