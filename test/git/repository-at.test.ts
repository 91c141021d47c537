import { expect, it } from 'vitest';
import { repositoryAt } from '../../src/git/remote/address.ts';

it.each([
  'git@git.corp:acme/shop.git',
  'git@git.corp:/acme/shop',
  'git.corp:acme/shop',
  'ssh://git@git.corp/acme/shop',
  'ssh://git.corp:22/acme/shop.git',
  'ssh://ann@git.corp/acme/shop',
  'https://git.corp/acme/shop',
  'https://git.corp/acme/shop.git/',
  'https://user@git.corp:443/acme/shop',
  'https://user:p@ss@GIT.CORP./acme/shop.git',
  'HTTPS://git.corp/acme/shop',
])('BIND-21 %s is one address with every other form of it', (address) => {
  expect(repositoryAt(address)).toBe('git.corp/acme/shop');
});

it.each([
  'https://evil.example/acme/shop',
  'https://git.corp@evil.example/acme/shop',
  'https://git.corp\\@evil.example/acme/shop',
  'https://git.corp:x@evil.example/acme/shop',
  'https://git.corp#@evil.example/acme/shop',
  'https://evil.example\\.git.corp/acme/shop',
  'https://git.corp:8443/acme/shop',
  'ssh://git.corp:2222/acme/shop',
  'http://git.corp/acme/shop',
  'git://git.corp/acme/shop',
  'https://git.corp/Acme/Shop',
  'https://git.corp/acme/shop.git.git',
  'https://git.corp/acme/shop/.git',
  'https://git.corp//acme/shop',
  'https://git.corp/evil/../acme/shop',
  'https://git.corp/acme/shop?service=x',
  'https://git.corp/acme/shop#x',
  'https://git.corp/acme/sh%6fp',
  'https://git.corp/acme/shop ',
  'https://gіt.corp/acme/shop',
  'https://git。corp.evil/acme/shop',
  'eve@git.corp:acme/shop',
  'git@git.corp:~eve/acme/shop',
  'git.corp/acme/shop',
  '/git.corp/acme/shop',
  'file:///git.corp/acme/shop',
])('BIND-21 %s is another address', (address) => {
  expect(repositoryAt(address)).not.toBe('git.corp/acme/shop');
});

it('BIND-21 two users of a plain server have two repositories in their homes, and one in a shared folder', () => {
  expect(repositoryAt('ann@server:shop')).not.toBe(repositoryAt('eve@server:shop'));
  expect(repositoryAt('ann@server:/srv/shop')).toBe(repositoryAt('ssh://eve@server/srv/shop'));
});

it('BIND-21 a folder is one address as a path and as file://, and look-alike letters show', () => {
  expect(repositoryAt('/srv/git/shop.git/')).toBe('file:///srv/git/shop.git');
  expect(repositoryAt('file:///srv/git/shop.git')).toBe('file:///srv/git/shop.git');
  expect(repositoryAt('https://gіt.corp/acme/shop')).toMatch(/^xn--/);
});
