import { STATUS_CODES } from 'node:http';

/** A reply as it is written to a connection that ends with it: where there is no response object for it. */
export function closingResponse(status: number, body: object): string {
  const text = JSON.stringify(body);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
