const words = '{{literal}}'.split(' ');

export const done = words.join(' ');
