package io.lazuli.server.load.fact;

import io.lazuli.server.load.count.SpaceName;
import io.lazuli.server.load.count.Tally;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Slots as bytes, within a bound. If a slot is too long, ranges with few requests are merged, then
 * what samples say about the least busy spaces is left out, then these spaces themselves.
 */
public final class SlotCodec {
  private static final int VERSION = 1;

  /** The factor by which a slot that is too long is made shorter, again and again. */
  private static final double LESS = 0.75;

  private static final Comparator<SpaceLoad> BUSIEST_FIRST =
      Comparator.comparingLong(SpaceLoad::requests).reversed().thenComparing(SpaceLoad::name);

  private SlotCodec() {}

  /** Encodes a slot into at most that many bytes. */
  public static byte[] encode(Slot slot, int bytesMax) {
    List<SpaceLoad> spaces = slot.spaces().stream().sorted(BUSIEST_FIRST).toList();
    int ranges = spaces.stream().mapToInt(space -> space.bounds().size()).max().orElse(1);
    int described = spaces.size();
    int kept = spaces.size();
    double share = 1;
    while (true) {
      byte[] encoded = write(slot, spaces, described, kept, share);
      if (encoded.length <= bytesMax) {
        return encoded;
      } else if (ranges * share >= 2) {
        share *= LESS;
      } else if (described > 0) {
        described = (int) (described * LESS);
      } else {
        kept = (int) (kept * LESS);
      }
    }
  }

  private static byte[] write(
      Slot slot, List<SpaceLoad> spaces, int described, int kept, double share) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 12);
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(VERSION);
      out.writeUTF(slot.server());
      out.writeLong(slot.start());
      number(out, slot.seconds());
      out.writeBoolean(slot.partial());
      number(out, kept);
      for (int i = 0; i < kept; i++) {
        SpaceLoad space = spaces.get(i);
        int max = (int) Math.max(1, space.bounds().size() * share);
        space(out, space.withRanges(Ranges.of(space).atMost(max)), i < described);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void space(DataOutputStream out, SpaceLoad space, boolean described)
      throws IOException {
    out.writeUTF(space.name().account());
    out.writeUTF(space.name().service());
    out.writeUTF(space.name().name());
    numbers(out, space.counts());
    number(out, space.bounds().size());
    String last = "";
    for (int i = 0; i < space.bounds().size(); i++) {
      String bound = space.bounds().get(i);
      int shared = shared(last, bound);
      number(out, shared);
      out.writeUTF(bound.substring(shared));
      numbers(out, space.byRange()[i]);
      last = bound;
    }
    out.writeBoolean(described);
    if (described) {
      facts(out, space.facts());
    }
  }

  private static void facts(DataOutputStream out, Facts facts) throws IOException {
    numbers(out, facts.sampled(), facts.distinct());
    number(out, facts.partitions().size());
    for (HotPartition one : facts.partitions()) {
      out.writeUTF(one.key());
      numbers(out, one.requests(), one.error(), one.busy());
    }
    number(out, facts.entities().size());
    for (HotEntity one : facts.entities()) {
      out.writeUTF(one.partition());
      out.writeUTF(one.row());
      numbers(out, one.requests(), one.error(), one.writes(), one.conflicts(), one.bytes());
    }
    InsertEnds ends = facts.ends();
    numbers(out, ends.judged(), ends.atLast(), ends.atFirst(), ends.moved());
    out.writeBoolean(ends.hasMany());
    out.writeUTF(ends.first());
    out.writeUTF(ends.last());
    WrittenSizes sizes = facts.sizes();
    numbers(out, sizes.writes(), sizes.bytes(), sizes.large(), sizes.largest());
    numbers(out, facts.batches().judged(), facts.batches().changed());
    number(out, facts.shapes().size());
    for (ShapeLoad one : facts.shapes()) {
      out.writeUTF(one.kind());
      out.writeUTF(one.shape());
      numbers(
          out, one.runs(), one.read(), one.returned(), one.micros(), one.most(), one.partitions());
      out.writeUTF(one.caller());
    }
    number(out, facts.fanOuts().size());
    for (FanOut one : facts.fanOuts()) {
      out.writeUTF(one.caller());
      out.writeUTF(one.what());
      numbers(out, one.bursts(), one.partitions());
    }
  }

  /**
   * Decodes a slot.
   *
   * @throws IOException if the bytes are not a slot
   */
  public static Slot decode(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    int version = in.readByte();
    if (version != VERSION) {
      throw new IOException("a slot has the version " + version);
    }
    String server = in.readUTF();
    long start = in.readLong();
    int seconds = (int) number(in);
    boolean partial = in.readBoolean();
    int count = size(in, bytes);
    List<SpaceLoad> spaces = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      spaces.add(space(in, bytes));
    }
    return new Slot(server, start, seconds, partial, spaces);
  }

  private static SpaceLoad space(DataInputStream in, byte[] bytes) throws IOException {
    SpaceName name = new SpaceName(in.readUTF(), in.readUTF(), in.readUTF());
    long[] counts = numbers(in, Tally.SPACE_SIZE);
    int ranges = size(in, bytes);
    List<String> bounds = new ArrayList<>();
    long[][] byRange = new long[ranges][];
    String last = "";
    for (int i = 0; i < ranges; i++) {
      int shared = (int) number(in);
      if (shared > last.length()) {
        throw new IOException("a bound shares more than the one before has");
      }
      last = last.substring(0, shared) + in.readUTF();
      bounds.add(last);
      byRange[i] = numbers(in, Tally.RANGE_SIZE);
    }
    return new SpaceLoad(
        name, counts, bounds, byRange, in.readBoolean() ? facts(in, bytes) : Facts.NONE);
  }

  private static Facts facts(DataInputStream in, byte[] bytes) throws IOException {
    long sampled = number(in);
    int distinct = (int) number(in);
    List<HotPartition> partitions = new ArrayList<>();
    for (int left = size(in, bytes); left > 0; left--) {
      partitions.add(new HotPartition(in.readUTF(), number(in), number(in), number(in)));
    }
    List<HotEntity> entities = new ArrayList<>();
    for (int left = size(in, bytes); left > 0; left--) {
      entities.add(
          new HotEntity(
              in.readUTF(),
              in.readUTF(),
              number(in),
              number(in),
              number(in),
              number(in),
              number(in)));
    }
    InsertEnds ends =
        new InsertEnds(
            number(in),
            number(in),
            number(in),
            (int) number(in),
            in.readBoolean(),
            in.readUTF(),
            in.readUTF());
    WrittenSizes sizes = new WrittenSizes(number(in), number(in), number(in), number(in));
    BatchTargets batches = new BatchTargets(number(in), number(in));
    List<ShapeLoad> shapes = new ArrayList<>();
    for (int left = size(in, bytes); left > 0; left--) {
      shapes.add(
          new ShapeLoad(
              in.readUTF(),
              in.readUTF(),
              number(in),
              number(in),
              number(in),
              number(in),
              number(in),
              (int) number(in),
              in.readUTF()));
    }
    List<FanOut> fanOuts = new ArrayList<>();
    for (int left = size(in, bytes); left > 0; left--) {
      fanOuts.add(new FanOut(in.readUTF(), in.readUTF(), (int) number(in), (int) number(in)));
    }
    return new Facts(
        sampled, distinct, partitions, entities, ends, sizes, batches, shapes, fanOuts);
  }

  private static int shared(String one, String other) {
    int max = Math.min(one.length(), other.length());
    int shared = 0;
    while (shared < max && one.charAt(shared) == other.charAt(shared)) {
      shared++;
    }
    return shared;
  }

  private static void numbers(DataOutputStream out, long... numbers) throws IOException {
    for (long number : numbers) {
      number(out, number);
    }
  }

  private static void number(DataOutputStream out, long number) throws IOException {
    long left = number;
    while ((left & ~0x7fL) != 0) {
      out.writeByte((int) ((left & 0x7f) | 0x80));
      left >>>= 7;
    }
    out.writeByte((int) left);
  }

  private static long[] numbers(DataInputStream in, int count) throws IOException {
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = number(in);
    }
    return numbers;
  }

  private static long number(DataInputStream in) throws IOException {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = in.readByte();
      number |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new IOException("a number is too long");
  }

  /** Reads the size of a list, each item of which has at least one byte. */
  private static int size(DataInputStream in, byte[] bytes) throws IOException {
    long size = number(in);
    if (size < 0 || size > bytes.length) {
      throw new IOException("a list has " + size + " items");
    }
    return (int) size;
  }
}
