package io.lazuli.server.catalog;

import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.SpaceKind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A walk over all queues or all containers, in bounded pieces. A position is a place in the order
 * of names, so it stays valid whatever is created and deleted. Blocks.
 */
public final class NameWalk {
  private static final int HOMES_PER_PIECE = 100;

  /** Uses the names one by one. A piece begins no other name after {@code until}. */
  public interface Visitor {
    /** Is called at the begin of each home. */
    default void begin(ServiceHome home) {}

    /**
     * Visits a name.
     *
     * @param from what the visit before returned, if it was of the same name; otherwise empty
     * @param until when a visit that takes long returns, after at least one step
     * @return where the next visit of the same name continues; null to go on with the next name
     */
    @Nullable Bytes visit(ServiceHome home, String name, Bytes from, Deadline until);
  }

  /**
   * A place in the order of names: a home, a name in it, and a place in what the name stands for.
   */
  private record At(Bytes home, String name, Bytes within) {
    static At decode(Bytes position) {
      if (position.length() == 0) {
        return new At(Bytes.EMPTY, "", Bytes.EMPTY);
      }
      ByteBuffer bytes = ByteBuffer.wrap(position.array());
      byte[] home = new byte[bytes.getShort()];
      bytes.get(home);
      byte[] name = new byte[bytes.getShort()];
      bytes.get(name);
      byte[] within = new byte[bytes.remaining()];
      bytes.get(within);
      return new At(Bytes.of(home), new String(name, StandardCharsets.UTF_8), Bytes.of(within));
    }

    Bytes encode() {
      byte[] text = name.getBytes(StandardCharsets.UTF_8);
      return Bytes.of(
          ByteBuffer.allocate(2 * Short.BYTES + home.length() + text.length + within.length())
              .putShort((short) home.length())
              .put(home.array())
              .putShort((short) text.length)
              .put(text)
              .put(within.array())
              .array());
    }
  }

  private final Catalog catalog;
  private final SpaceKind kind;
  private final Duration pieceTime;

  /**
   * @param pieceTime the time after which a piece visits no other name
   */
  public NameWalk(Catalog catalog, SpaceKind kind, Duration pieceTime) {
    this.catalog = catalog;
    this.kind = kind;
    this.pieceTime = pieceTime;
  }

  /**
   * Does one piece: up to a number of names, or less if its time is over or a visit is not
   * complete. It visits at least one name, if there is one, so that each piece gets further.
   *
   * @param from what the last piece returned; empty at the begin
   * @return where the next piece continues; null after the last name
   */
  public @Nullable Bytes piece(Bytes from, int namesMax, Deadline deadline, Visitor visitor) {
    At at = At.decode(from);
    Deadline until = Deadline.after(pieceTime);
    List<ServiceHome> homes =
        Futures.await(catalog.homes(kind, at.home, HOMES_PER_PIECE, deadline));
    int left = namesMax;
    for (ServiceHome home : homes) {
      Bytes partition = home.partition().name();
      At start = at.home.equals(partition) ? at : new At(partition, "", Bytes.EMPTY);
      if (start.name.isEmpty()) {
        visitor.begin(home);
      }
      List<String> names = names(home, start.name, left, deadline);
      for (int i = 0; i < Math.min(names.size(), left); i++) {
        String name = names.get(i);
        Bytes within = name.equals(start.name) ? start.within : Bytes.EMPTY;
        Bytes next = visitor.visit(home, name, within, until);
        if (next != null) {
          return new At(partition, name, next).encode();
        } else if (until.hasPassed() && i + 1 < names.size()) {
          return new At(partition, names.get(i + 1), Bytes.EMPTY).encode();
        }
      }
      if (names.size() > left) {
        return new At(partition, names.get(left), Bytes.EMPTY).encode();
      }
      left -= names.size();
      if (left == 0 || until.hasPassed()) {
        return new At(partition.successor(), "", Bytes.EMPTY).encode();
      }
    }
    return homes.size() < HOMES_PER_PIECE
        ? null
        : new At(homes.get(HOMES_PER_PIECE - 1).partition().name().successor(), "", Bytes.EMPTY)
            .encode();
  }

  /** Returns one name more than the number, if there are so many. */
  private List<String> names(ServiceHome home, String from, int max, Deadline deadline) {
    List<String> names = new ArrayList<>();
    return Futures.await(
        catalog
            .list(
                home,
                from,
                deadline,
                row -> {
                  names.add(row.name());
                  return names.size() <= max;
                })
            .thenApply(listed -> names));
  }
}
