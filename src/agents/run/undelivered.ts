import type { Notification } from '../../schema/notification.ts';

export const isUndelivered = ({ status }: Notification) => status !== 'delivered' && status !== 'recorded';

/** The agent has an answer that a person has amended since, and has not heard of that yet. */
export const isCorrection = ({ status, deliveredAt }: Notification) =>
  deliveredAt !== undefined && status !== 'delivered';
