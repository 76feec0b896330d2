package io.lazuli.server.table.service;

import io.lazuli.storage.Bytes;

/**
 * A write whose bytes are encoded before the commit lane runs it.
 *
 * @param record the encoded properties; empty for a delete
 */
record PreparedWrite(EntityWrite write, Bytes row, byte[] record) {}
