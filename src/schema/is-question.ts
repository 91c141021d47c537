import type { Notification } from './notification.ts';

type Asked = Pick<Notification, 'kind' | 'resume'>;

/** The form of an MCP server. What a person fills in is for that server alone: nothing that a model reads may have it. */
export const isServerForm = ({ resume }: Pick<Asked, 'resume'>) => resume?.elicitation === true;

/** The model asks it, and can be told the answer in words. */
export const isQuestion = (asked: Asked) => asked.kind === 'question' && !isServerForm(asked);

/** Only the process that asked can use the answer: once it is gone, nobody can. */
export const isForProcess = (asked: Asked) => asked.kind === 'permission' || isServerForm(asked);

/** It is answered with yes or no. */
export const isApproval = ({ kind }: Pick<Asked, 'kind'>) => kind === 'approval' || kind === 'permission';

/** A person lets something pass, once. No policy, default or earlier answer may settle it. */
export const isPersonal = (asked: Pick<Asked, 'kind'>) => asked.kind === 'gate' || isApproval(asked);
