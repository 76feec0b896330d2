#!/usr/bin/env node
'use strict';

// Starts Lazuli: finds a Java, and runs a program of ../lib in it. The other files of this folder run this one, which then
// works in place of the command of their name. The programs and options are those of the start scripts lazuli and
// lazuli.cmd of the archive. LAZULI_JAVA_OPTS replaces the memory settings.

const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const { optionalDependencies } = require('../package.json');

const name = path.basename(require.main.filename, '.js');
const args = process.argv.slice(2);
if (name !== 'lazuli') args.unshift(name);

function fail(message) {
  // Not process.stderr: on Windows it writes later, and nothing is written after exit.
  fs.writeSync(2, `lazuli: ${message}\n`);
  process.exit(1);
}

const [command, object] = args;
if (['conformance', 'tour', 'cluster-demo', 'works-with'].includes(command)) fail(`${command} runs only from source`);
const transfers =
  ['export', 'table'].includes(command) ||
  (command === 'import' && ['table', 'queue', 'container'].includes(object));

// The package with a Java for this system, if there is one; npm installs it if it can.
const javaPackage = Object.keys(optionalDependencies).find((one) =>
  one.endsWith(`/java-${process.platform}-${process.arch}`));

function packagedJava() {
  try {
    return path.join(path.dirname(require.resolve(`${javaPackage}/package.json`)), 'java', 'bin', 'java');
  } catch {
    return undefined;
  }
}

// Returns the feature version of a Java command: 17, 21, ...; or why it does not run, in words.
function versionOf(java) {
  const { error, stdout, stderr } = spawnSync(java, ['-version'], { encoding: 'utf8', windowsHide: true });
  if (error) return { reason: error.code === 'ENOENT' ? 'it is not there' : error.message };
  const said = `${stderr}${stdout}`;
  const version = / version "(?:1\.)?(\d+)/.exec(said);
  return version ? { feature: Number(version[1]) } : { reason: said.trim().split('\n')[0] };
}

// The packaged Java is tried, because npm also installs it where it does not run: older versions of npm do not know libc, and
// an older glibc is not enough.
function findJava() {
  const packaged = packagedJava();
  const home = (process.env.JAVA_HOME || '').replaceAll('"', '');
  const installed = home ? path.join(home, 'bin', 'java') : 'java';
  const reasons = [];
  for (const java of packaged ? [packaged, installed] : [installed]) {
    const { feature, reason } = versionOf(java);
    if (feature >= 17) return { java, feature };
    if (java === packaged) reasons.push(`the Java of ${javaPackage} does not run here: ${reason}`);
    else if (feature) reasons.push(`${java} is version ${feature}; Lazuli needs Java 17 or newer (set JAVA_HOME)`);
    else if (home) reasons.push(`JAVA_HOME is ${home}, but bin/java in it does not run: ${reason}`);
    else reasons.push('no Java found; install a Java 17 or newer, or set JAVA_HOME');
  }
  if (javaPackage && !packaged) reasons.push(`${javaPackage} has a Java for glibc, but npm has not installed it`);
  return fail(reasons.join('\nlazuli: '));
}

const { java, feature } = findJava();

function memory() {
  if (transfers) return ['-Xmx256m'];
  // All data is then on the heap, and may take up to half of it.
  const inMemory = args.some((arg) => arg.startsWith('--inMemoryPersistence'));
  return /^azurite/.test(command) && inMemory ? ['-XX:MaxRAMPercentage=70'] : ['-Xms384m', '-Xmx512m'];
}

const given = (process.env.LAZULI_JAVA_OPTS || '').split(/\s+/).filter(Boolean);
// Without these options newer JDKs warn about RocksDB's native code and Netty's buffers.
const quiet = ['--enable-native-access=ALL-UNNAMED', '--sun-misc-unsafe-memory-access=allow'];
const lib = path.join(__dirname, '..', 'lib');
const options = [
  '-XX:+ExitOnOutOfMemoryError',
  '-XX:+DisplayVMOutputToStderr',
  ...(given.length > 0 ? given : [...memory(), '-XX:+UseSerialGC']),
  '-Xshare:auto',
  ...(feature >= 24 ? quiet : []),
  `-Dlazuli.server=${path.join(lib, 'lazuli.jar')}`,
  // The server stops when this process is killed.
  `-Dlazuli.parent=${process.pid}`,
  '-jar',
  path.join(lib, transfers ? 'lazuli-transfer.jar' : 'lazuli.jar'),
];

// Other users cannot read what the server writes.
if (!transfers) process.umask(0o077);
const child = spawn(java, [...options, ...args], { stdio: 'inherit' });
child.on('error', (error) => fail(`${java} does not run: ${error.message}`));
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
  // On Windows the console sends its events to both processes, and kill would not let Java end in order.
  process.on(signal, () => process.platform === 'win32' || child.kill(signal));
}
