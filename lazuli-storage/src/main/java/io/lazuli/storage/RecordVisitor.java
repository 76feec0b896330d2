package io.lazuli.storage;

/** Sees the records of a scan, one after another, on the thread that scans. */
@FunctionalInterface
public interface RecordVisitor {
  /** The record is lent: it is valid until this method returns. */
  Visit visit(LentRecord record);
}
