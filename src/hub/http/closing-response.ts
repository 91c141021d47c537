import { STATUS_CODES } from 'node:http';

/** A raw response for a connection that ends with it, when there is no response object. */
export function closingResponse(status: number, body: object, headers: Record<string, string> = {}): string {
  const text = JSON.stringify(body);
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n${more.join('')}\r\n${text}`;
}
