import { randomBytes } from 'node:crypto';

/** How each secret that we make begins, so that redaction and secret scanners recognise it. */
export const SECRET_PREFIX = 'fermata_';

/** 256 random bits. */
export const newSecret = () => SECRET_PREFIX + randomBytes(32).toString('base64url');
