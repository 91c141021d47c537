/** What issue {{number}} asks for. */
export const done = '{{literal}}';
