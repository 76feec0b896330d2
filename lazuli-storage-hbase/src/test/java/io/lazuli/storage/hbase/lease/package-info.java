/** The protocol of leases and announced drops, in simulated time. */
package io.lazuli.storage.hbase.lease;
