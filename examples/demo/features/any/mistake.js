export const done = 'not yet';
