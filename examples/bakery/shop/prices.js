export const prices = { bread: 4, roll: 1 };
