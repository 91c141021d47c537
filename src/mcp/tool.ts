/** A tool that a model may call. */
export interface Tool {
  name: string;
  description: string;
  inputSchema: object;
  call(input: Record<string, unknown>, call: ToolCall): Promise<ToolResult>;
}

export interface ToolCall {
  /** Aborted when the client takes the call back, or goes away. */
  signal: AbortSignal;
  /** The client's own name, such as `claude-code`. */
  client: string;
  /** Shows the person a form in the client, where that can; the result is MCP's. */
  elicit?(form: object, signal: AbortSignal): Promise<unknown>;
}

export interface ToolResult {
  text: string;
  isError?: boolean;
  /** Called when the result is on its way to the client. */
  sent?(): Promise<void>;
}
