// Preloaded into the programs of clients that know only Azure's hosts: connections to NAME.SERVICE.$domain go to the port of
// the service on this machine. The hosts file and port 443 would do the same for all programs, but need root.
const net = require('node:net');
const { domain } = process.env;
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...given) {
  const options = Array.isArray(given[0]) ? given[0][0] : given[0];
  const host = options?.host;
  if (typeof host === 'string' && host.endsWith('.' + domain)) {
    options.port = Number(process.env[host.split('.')[1] + '_port']);
    options.host = '127.0.0.1';
  }
  return connect.apply(this, given);
};
