import { STATUS_CODES } from 'node:http';

/** A raw response for a connection that ends with it, when there is no response object. */
export function closingResponse(status: number, body: object): string {
  const text = JSON.stringify(body);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
