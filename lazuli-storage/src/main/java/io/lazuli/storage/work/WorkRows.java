package io.lazuli.storage.work;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.TransactionBody;
import java.util.List;
import java.util.NavigableMap;

/** The rows in which servers record how they share work. They are in one partition. Blocks. */
interface WorkRows {
  /** Returns all rows as they were at one moment. */
  NavigableMap<Bytes, byte[]> all();

  /** Changes rows in one transaction. */
  <R> R change(List<Bytes> touch, TransactionBody<R> body);
}
