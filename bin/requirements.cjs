// biome-ignore-all lint/style/useTemplate: a too old Node must be able to read this file and say so.
/** What this machine lacks to run Fermata, as a sentence that says what to do; undefined if nothing is missing. */
exports.unmet = function unmet(platform, node) {
  var version = node.split('.').map(Number);
  if (platform === 'win32') {
    return 'Fermata does not run on Windows itself: install WSL2 (https://learn.microsoft.com/windows/wsl) and run it there.';
  }
  if (version[0] > 20 || (version[0] === 20 && version[1] >= 19)) return undefined;
  return (
    'Fermata needs Node 20.19 or newer, but this is Node ' +
    node +
    ': install a newer one (https://nodejs.org).'
  );
};
