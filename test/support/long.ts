/** Whether this is `npm run test:long`, where matrices are run in full. */
export const isLong = process.env.FERMATA_LONG === '1';
