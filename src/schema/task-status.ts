// Data without zod, so that "fermata tasks" can offer it without the validator.
export const taskStatuses = ['open', 'in_progress', 'blocked', 'closed'] as const;
