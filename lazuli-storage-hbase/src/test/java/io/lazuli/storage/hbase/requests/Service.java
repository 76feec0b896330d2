package io.lazuli.storage.hbase.requests;

/** The services of an account, each on its own port. */
enum Service {
  TABLE,
  QUEUE,
  BLOB
}
