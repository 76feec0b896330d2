package io.lazuli.cluster;

import java.time.Duration;
import java.util.Optional;

/**
 * What guards a cluster.
 *
 * @param ticketLife how long a client's ticket of Kerberos is valid; empty without Kerberos
 * @param tls whether calls to HBase and to ZooKeeper use TLS
 */
record Security(Optional<Duration> ticketLife, boolean tls) {
  static final Security NONE = new Security(Optional.empty(), false);

  boolean kerberos() {
    return ticketLife.isPresent();
  }
}
