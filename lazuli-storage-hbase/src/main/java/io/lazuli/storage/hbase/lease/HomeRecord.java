package io.lazuli.storage.hbase.lease;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The record of a home: the number of drops so far, and the drops that are announced and not yet
 * committed. One read of one row shows all of it as of one point in time.
 *
 * @param epoch the number that every committed drop raises
 * @param serial the number of the latest announcement
 */
public record HomeRecord(long epoch, long serial, List<Announcement> announced) {
  /** The record of a home in which nothing was ever dropped. */
  public static final HomeRecord EMPTY = new HomeRecord(0, 0, List.of());

  /** The maximum number of drops of one home that are under way at the same time. */
  static final int ANNOUNCED_MAX = 4_096;

  private static final int ANNOUNCEMENT_BYTES = 2 * Long.BYTES;

  /**
   * An announced drop. Its serial distinguishes it from earlier and later announcements of the same
   * space, so that nobody takes one for another.
   */
  public record Announcement(long space, long serial) {}

  public HomeRecord {
    announced = List.copyOf(announced);
  }

  /** Reads the value of a row. A value without announcements may consist of the epoch only. */
  public static HomeRecord decode(byte @Nullable [] value) {
    if (value == null) {
      return EMPTY;
    }
    ByteBuffer bytes = ByteBuffer.wrap(value);
    long epoch = bytes.getLong();
    long serial = bytes.hasRemaining() ? bytes.getLong() : 0;
    List<Announcement> announced = new ArrayList<>();
    while (bytes.remaining() >= ANNOUNCEMENT_BYTES) {
      announced.add(new Announcement(bytes.getLong(), bytes.getLong()));
    }
    return new HomeRecord(epoch, serial, announced);
  }

  public byte[] encode() {
    ByteBuffer bytes =
        ByteBuffer.allocate(2 * Long.BYTES + announced.size() * ANNOUNCEMENT_BYTES)
            .putLong(epoch)
            .putLong(serial);
    announced.forEach(each -> bytes.putLong(each.space).putLong(each.serial));
    return bytes.array();
  }

  public boolean isFull() {
    return announced.size() >= ANNOUNCED_MAX;
  }

  /** Returns the announcement of a space's drop; null if it is not announced. */
  public @Nullable Announcement find(long space) {
    return announced.stream().filter(each -> each.space == space).findFirst().orElse(null);
  }

  /** Returns the record after the drops of these spaces were announced. */
  public HomeRecord announce(Collection<Long> spaces) {
    List<Announcement> more = new ArrayList<>(announced);
    long number = serial;
    for (long space : spaces) {
      if (find(space) == null) {
        more.add(new Announcement(space, ++number));
      }
    }
    return new HomeRecord(epoch, number, more);
  }

  /** Returns the record after announced drops were committed. */
  public HomeRecord drop(Set<Announcement> committed) {
    return new HomeRecord(epoch + 1, serial, without(committed));
  }

  /** Returns the record after announcements were withdrawn. */
  public HomeRecord withdraw(Set<Announcement> withdrawn) {
    return new HomeRecord(epoch, serial, without(withdrawn));
  }

  Set<Long> announcedSpaces() {
    return announced.stream().map(Announcement::space).collect(Collectors.toUnmodifiableSet());
  }

  private List<Announcement> without(Set<Announcement> removed) {
    return announced.stream().filter(each -> !removed.contains(each)).toList();
  }
}
