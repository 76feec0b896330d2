package io.lazuli.server.backup;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ReadableByteChannel;
import java.util.List;

/**
 * The place of backups: objects named by the SHA-256 of their content, which never change, and one
 * record for each complete backup. Belongs to one thread.
 */
public interface BackupTarget extends AutoCloseable {
  /** Opens a content for reading, once or several times. */
  @FunctionalInterface
  interface Source {
    ReadableByteChannel open() throws IOException;
  }

  /** Takes one object after another. */
  @FunctionalInterface
  interface ObjectVisitor {
    void visit(String sha256, long length) throws IOException;
  }

  /** Returns the place for people, without secrets. */
  String place();

  /**
   * Prepares an empty place for backups.
   *
   * @throws BackupException if the place holds something else
   */
  void create() throws IOException;

  /**
   * Keeps others from changing the target until it is closed.
   *
   * @throws BackupException if somebody else does so, or the place holds no backups
   */
  void lock() throws IOException;

  /** Returns the ids of all complete backups, sorted. */
  List<String> ids() throws IOException;

  /** Reads the record of a backup. */
  BackupRecord record(String id) throws IOException;

  /**
   * Stores a record, which makes the backup complete. All objects that were stored before are
   * durable when the record is.
   */
  void commit(BackupRecord record) throws IOException;

  /** Removes a record. The removal is durable when this returns. */
  void forget(String id) throws IOException;

  /**
   * Stores a content, unless the target has it.
   *
   * @param meter counts the bytes and limits their rate; throws if the backup was cancelled
   * @return the name of the object
   */
  String put(Source source, long length, Meter meter) throws IOException;

  /**
   * Returns false if an object of an earlier backup is known to be missing. Must be cheap, so it
   * may return true for an object that is missing.
   */
  boolean stillHas(String sha256, long length) throws IOException;

  /** Opens an object. Its content is not checked. */
  InputStream open(String sha256) throws IOException;

  /** Shows all objects. */
  void forEachObject(ObjectVisitor visitor) throws IOException;

  /** Removes an object. */
  void delete(String sha256) throws IOException;

  /** Returns whether the target has an object. */
  boolean has(String sha256, long length) throws IOException;

  /**
   * Prepares to add to the archive of a store, while others may work on the backups.
   *
   * @throws BackupException if the place holds no backups
   */
  void openArchive(String store) throws IOException;

  /**
   * Keeps others from adding to the archives and from removing objects, for a short time. Waits for
   * others who do.
   *
   * @throws BackupException if others take too long
   */
  Closeable lockArchives() throws IOException;

  /** Returns the names of the files of all archives, sorted: {@code STORE/CHAIN/NAME}. */
  List<String> archived() throws IOException;

  /**
   * Opens a file of an archive. Its content is not checked.
   *
   * @throws BackupException if there is no such file
   */
  InputStream openArchived(String name) throws IOException;

  /**
   * Stores a file of an archive, or replaces it. It is whole or absent, and all objects that were
   * stored before are durable when it is.
   */
  void putArchived(String name, byte[] content) throws IOException;

  /** Removes a file of an archive. */
  void deleteArchived(String name) throws IOException;

  /** Ends the lock. */
  @Override
  void close() throws IOException;
}
