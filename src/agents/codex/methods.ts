/** The requests of `codex app-server` that a person answers. */
export const method = {
  toolCall: 'item/tool/call',
  userInput: 'item/tool/requestUserInput',
  command: 'item/commandExecution/requestApproval',
  fileChange: 'item/fileChange/requestApproval',
  permissions: 'item/permissions/requestApproval',
  elicitation: 'mcpServer/elicitation/request',
} as const;
