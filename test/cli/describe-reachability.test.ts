import { expect, test } from 'vitest';
import { describeReachability } from '../../src/cli/commands/serve.ts';

const url = 'http://127.0.0.1:4777';
const lan = ['192.0.2.7', '198.51.100.7'];

test.each([
  ['this machine alone, without notices', { url, host: '127.0.0.1', sinks: [] }, []],
  ['notices on this desktop', { url, host: 'localhost', sinks: ['desktop'] }, [/through desktop\.$/]],
  [
    'notices elsewhere',
    { url, host: '127.0.0.1', sinks: ['ntfy'] },
    [/through ntfy\.$/, /other devices cannot open.*--public-url/],
  ],
  [
    'all addresses',
    { url, host: '0.0.0.0', sinks: ['webhook'] },
    [
      /at http:\/\/192\.0\.2\.7:4777, http:\/\/198\.51\.100\.7:4777\. It speaks plain HTTP/,
      /through webhook/,
      /--public-url/,
    ],
  ],
  [
    'one address',
    { url: 'http://192.0.2.7:80', host: '192.0.2.7', sinks: ['ntfy'] },
    [/at http:\/\/192\.0\.2\.7:/, /ntfy/],
  ],
  [
    'one of IPv6',
    { url: 'http://[2001:db8::7]:4777', host: '2001:db8::7', sinks: [] },
    [/at http:\/\/\[2001:db8::7\]:4777/],
  ],
  [
    'a name of its own',
    { url, host: '127.0.0.1', publicUrl: new URL('https://hub.example.org'), sinks: ['ntfy'] },
    [/through ntfy\.$/],
  ],
])('CLI-serve says who can reach a hub: %s', (_, reach, expected) => {
  expect(describeReachability(reach, lan)).toEqual(expected.map((words) => expect.stringMatching(words)));
});
