package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The boundaries that an operator made before the load came. The balancer does not merge there for
 * a day, although the ranges are cold. Immutable, and bounded: the boundaries that would be kept
 * for the shortest time make room for new ones.
 *
 * @param until when each boundary may be merged, in milliseconds
 */
public record KeptBoundaries(Map<Bytes, Long> until) {
  public static final KeptBoundaries NONE = new KeptBoundaries(Map.of());

  static final int BOUNDARIES_MAX = 1_000;
  private static final byte FORMAT = 1;
  private static final Duration KEPT = Duration.ofDays(1);

  public KeptBoundaries {
    until = Map.copyOf(until);
  }

  /** Returns the boundaries at which nothing may be merged now. */
  public Set<Bytes> at(Instant now) {
    return until.entrySet().stream()
        .filter(each -> each.getValue() > now.toEpochMilli())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Returns the boundaries with more of them, and without those that need not be kept any more. */
  public KeptBoundaries with(Instant now, Collection<Bytes> more) {
    Map<Bytes, Long> all = new TreeMap<>(until);
    all.keySet().retainAll(at(now));
    more.forEach(key -> all.put(key, now.plus(KEPT).toEpochMilli()));
    while (all.size() > BOUNDARIES_MAX) {
      all.entrySet().stream()
          .min(Map.Entry.comparingByValue())
          .ifPresent(first -> all.remove(first.getKey()));
    }
    return new KeptBoundaries(all);
  }

  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.writeInt(until.size());
      for (Map.Entry<Bytes, Long> each : new TreeMap<>(until).entrySet()) {
        out.writeShort(each.getKey().length());
        out.write(each.getKey().array());
        out.writeLong(each.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Reads boundaries. Returns none if a server of another version wrote them. */
  public static KeptBoundaries decode(byte[] encoded) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
      if (in.readByte() != FORMAT) {
        return NONE;
      }
      Map<Bytes, Long> until = new TreeMap<>();
      for (int count = in.readInt(); count > 0; count--) {
        until.put(Bytes.of(in.readNBytes(in.readUnsignedShort())), in.readLong());
      }
      return new KeptBoundaries(until);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
