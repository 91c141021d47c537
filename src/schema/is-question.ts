import type { Notification } from './notification.ts';
import type { Question } from './question.ts';

type Asked = Pick<Notification, 'kind' | 'resume'>;

/** The form of an MCP server. What a person fills in is for that server alone, and must not reach a model. */
export const isServerForm = ({ resume }: Pick<Asked, 'resume'>) => resume?.elicitation === true;

/** Asked by the model, which can get the answer as text. */
export const isQuestion = (asked: Asked) => asked.kind === 'question' && !isServerForm(asked);

/** Only the process that asked can use the answer. Once it is gone, nobody can. */
export const isForProcess = (asked: Asked) => asked.kind === 'permission' || isServerForm(asked);

/** Whether it is answered with yes or no. */
export const isApproval = ({ kind }: Pick<Asked, 'kind'>) => kind === 'approval' || kind === 'permission';

/** A person allows something once. No policy, default or earlier answer may settle it. */
export const isPersonal = (asked: Pick<Asked, 'kind'>) => asked.kind === 'gate' || isApproval(asked);

/** Whether only its options are answers; anything else can be answered in a person's own words. */
export const isDecisive = (asked: Pick<Asked, 'kind'>, { options = [] }: Pick<Question, 'options'>) =>
  isPersonal(asked) && options.length > 0;
