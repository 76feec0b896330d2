package io.lazuli.server.table.service;

import io.lazuli.storage.Bytes;

/**
 * A write with its bytes made ready before the commit lane sees it.
 *
 * @param record the encoded properties; empty for a delete
 */
record PreparedWrite(EntityWrite write, Bytes row, byte[] record) {}
