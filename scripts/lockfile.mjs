/**
 * What would make `npm ci` refuse this lock file on some machine, as sentences. A registry that does not serve
 * every platform package makes `npm install` drop their entries, and `npm ci` then rejects the whole file.
 *
 * @param {{ packages: Record<string, { resolved?: string, optionalDependencies?: Record<string, string> }> }} lock
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
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (!/^(npm:.+@)?\d+\.\d+\.\d+[\w.+-]*$/.test(version) || isLocked(lock, path, name)) continue;
      problems.push(
        `${path || 'package.json'}: no lock entry for ${name}@${version}; add one with its os and cpu.`,
      );
    }
  }
  return problems;
}

/** npm looks in the package's own node_modules, then in that of each parent. */
function isLocked(lock, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    if (lock.packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true;
    if (at === '') return false;
  }
}
