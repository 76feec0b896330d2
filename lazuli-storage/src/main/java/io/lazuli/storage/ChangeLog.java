package io.lazuli.storage;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The changes that an engine has stored, in their order, for an archive. The engine keeps them
 * until {@link #release}, up to the bound in its configuration ({@link
 * EngineConfig#keptLogBytesMax}). Beyond the bound it gives up the oldest ones, and {@link #next}
 * reports that they are lost. Belongs to one thread.
 *
 * <p>Somebody who applies the changes after a cut, in their order, to the files of the cut ({@link
 * Replay}) has the store as it was after the last of them.
 */
public interface ChangeLog {
  /**
   * A place in the log: after one change.
   *
   * @param sequence the number of the last part of the change
   * @param checksum tells changes with the same number apart, in stores that were repaired; 0 if it
   *     is not known
   */
  record Place(long sequence, long checksum) {}

  /**
   * Changes that became durable together.
   *
   * @param first the number of the first part, one more than the last number before
   * @param last the number of the last part
   * @param ticks the time at which they were written; may be before the time of an earlier change
   *     by the duration of a write
   * @param content for {@link Replay#apply}
   * @param chunks the files of the chunks that they completed
   */
  record Change(long first, long last, long ticks, byte[] content, List<StoreCut.File> chunks) {
    /** Returns the place after this change. */
    public Place place() {
      return new Place(last, checksum(content));
    }
  }

  /**
   * The changes up to one moment.
   *
   * @param ticks the time; everything that was acknowledged up to it is in the round
   * @param last the number of the last part of the last change
   */
  record Round(long ticks, long last) {}

  /** Says that changes are missing: they were given up, or the store was repaired. */
  final class LostException extends IOException {
    private static final long serialVersionUID = 1;

    public LostException(String message) {
      super(message);
    }
  }

  /** Returns the checksum of a change. */
  static long checksum(byte[] content) {
    CRC32C sum = new CRC32C();
    sum.update(content, 0, content.length);
    return sum.getValue();
  }

  /** Returns the name of the store, as {@link StoreCut#store} does. */
  String store() throws IOException;

  /** Returns the version of the data format in which the changes are written. */
  int format();

  /** Moves to the last change that is stored now, and returns the place after it. */
  Place moveToEnd() throws IOException;

  /**
   * Moves to a place, so that the change after it is next.
   *
   * @return false if the log does not have the change before the place any more, or has another one
   *     there
   */
  boolean moveTo(Place place) throws IOException;

  /** Begins a round with all changes that are durable now. */
  Round begin();

  /**
   * Returns the next change of the round; null after the last one.
   *
   * @throws LostException if it is missing
   */
  @Nullable Change next() throws IOException;

  /**
   * Opens the file of a chunk in a change of this round, even if the chunk was deleted.
   *
   * @throws java.nio.file.NoSuchFileException if the store has lost the file
   */
  SeekableByteChannel open(StoreCut.File chunk) throws IOException;

  /** Lets the engine free what is kept for the changes that {@link #next} has returned. */
  void release() throws IOException;

  /** Returns the disk space that is used only because changes are kept. Any thread may call it. */
  long keptBytes();
}
