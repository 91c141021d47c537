import type { Notification } from '../../schema/notification.ts';

export const isUndelivered = ({ status }: Notification) => status !== 'delivered' && status !== 'recorded';

/** The agent has an answer that a person has since amended, and does not know the new one yet. */
export const isCorrection = ({ status, deliveredAt }: Notification) =>
  deliveredAt !== undefined && status !== 'delivered';
