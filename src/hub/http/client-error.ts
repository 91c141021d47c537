import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../schema/error.ts';
import { closingResponse } from './closing-response.ts';

/** Responds to a malformed request with an error in the usual format, and closes the connection. */
export function refuseClient(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, code, message } = refusalOf(error.code);
  socket.end(closingResponse(status, { error: { code, message } }), () => socket.destroy());
}

function refusalOf(reason: string | undefined): { status: number; code: ErrorCode; message: string } {
  switch (reason) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, code: 'timeout', message: 'The request did not arrive in time.' };
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, code: 'too_large', message: 'The headers or the URL are too long.' };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, code: 'too_large', message: 'The extensions of a chunk are too long.' };
    default:
      return { status: 400, code: 'invalid', message: 'Malformed HTTP/1.1 request.' };
  }
}
