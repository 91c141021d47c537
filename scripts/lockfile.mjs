/**
 * What would make `npm ci` refuse this lock file on some machine, as sentences. A registry that does not serve
 * every platform package makes `npm install` drop their entries, and `npm ci` then rejects the whole file.
 *
 * @typedef {{ resolved?: string, integrity?: string, link?: boolean, inBundle?: boolean, optional?: boolean, os?: string[], optionalDependencies?: Record<string, string> }} Entry
 * @param {{ packages: Record<string, Entry> }} lock
 * @returns {string[]}
 */
export function lockProblems(lock) {
  const problems = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (/^[a-z+]+:\/\//.test(entry.resolved ?? '')) {
      problems.push(
        `${path}: "resolved" names a host; write the lock file with omit-lockfile-registry-resolved=true.`,
      );
    }
    if (isUnverified(path, entry) && !entry.os) {
      problems.push(`${path}: no integrity, so npm would take any content; lock it again.`);
    }
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (!/^(npm:.+@)?\d+\.\d+\.\d+[\w.+-]*$/.test(version) || isLocked(lock, path, name)) continue;
      problems.push(
        `${path || 'package.json'}: no lock entry for ${name}@${version}; add one with its os and cpu.`,
      );
    }
  }
  return problems;
}

/**
 * The packages of other platforms that the lock file has no checksum for, because the registry that it was written with
 * does not serve them. npm installs them there unchecked.
 *
 * @param {{ packages: Record<string, Entry> }} lock
 */
export function uncheckedPlatformPackages(lock) {
  const entries = Object.entries(lock.packages).filter(
    ([path, entry]) => isUnverified(path, entry) && entry.os,
  );
  return entries.map(([path]) => path.replace(/^.*node_modules\//, ''));
}

/** @param {string} path @param {Entry} entry */
function isUnverified(path, { integrity, link, inBundle }) {
  return path !== '' && integrity === undefined && !link && !inBundle;
}

/** npm looks in the package's own node_modules, then in that of each parent. */
function isLocked(lock, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    if (lock.packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true;
    if (at === '') return false;
  }
}
