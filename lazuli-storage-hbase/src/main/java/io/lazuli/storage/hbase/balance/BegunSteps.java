package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The operations that a leader has begun and not ended. A leader that dies leaves them to its
 * successor. HBase's master carries out what was asked of it whatever becomes of the client, so the
 * successor only has to see how each of them ended. Immutable.
 */
public record BegunSteps(List<Begun> steps) {
  static final BegunSteps NONE = new BegunSteps(List.of());

  /** HBase ends an operation within this time, or gives it up. */
  private static final Duration ENDED_AFTER = Duration.ofSeconds(90);

  private static final byte SPLIT = 1;
  private static final byte MERGE = 2;
  private static final byte MOVE = 3;
  private static final byte EXCHANGE = 4;

  public BegunSteps {
    steps = List.copyOf(steps);
  }

  /**
   * An operation that was begun.
   *
   * @param what the description that people see
   */
  public record Begun(Instant time, BalanceStep step, String what) {}

  /** Returns the steps of which the end must be visible by now. */
  public List<Begun> due(Instant now) {
    return steps.stream().filter(each -> each.time.isBefore(now.minus(ENDED_AFTER))).toList();
  }

  /** Returns true if an operation was carried out, judged by the regions that exist now. */
  public static boolean isDone(BalanceStep step, List<RegionSample> regions) {
    Set<Bytes> names = regions.stream().map(RegionSample::name).collect(Collectors.toSet());
    if (step instanceof BalanceStep.Move move) {
      return isOn(move.server(), move.region(), regions);
    } else if (step instanceof BalanceStep.Exchange exchange) {
      return isOn(exchange.other().server(), exchange.region(), regions)
          && isOn(exchange.region().server(), exchange.other(), regions);
    }
    return step.regions().stream().map(RegionSample::name).noneMatch(names::contains);
  }

  private static boolean isOn(String server, RegionSample region, List<RegionSample> regions) {
    return regions.stream()
        .anyMatch(each -> each.name().equals(region.name()) && each.server().equals(server));
  }

  BegunSteps with(Instant now, BalanceStep step, String what) {
    List<Begun> more = new ArrayList<>(steps);
    more.add(new Begun(now, step, what));
    return new BegunSteps(more);
  }

  /** Returns the steps without one that has ended. */
  BegunSteps without(BalanceStep step) {
    return new BegunSteps(steps.stream().filter(each -> !isSame(each.step, step)).toList());
  }

  private static boolean isSame(BalanceStep one, BalanceStep other) {
    return one.getClass().equals(other.getClass()) && names(one).equals(names(other));
  }

  private static List<Bytes> names(BalanceStep step) {
    return step.regions().stream().map(RegionSample::name).toList();
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(steps.size());
    for (Begun begun : steps) {
      out.writeLong(begun.time.toEpochMilli());
      out.writeUTF(begun.what);
      out.writeUTF(begun.step.why());
      write(begun.step, out);
    }
  }

  private static void write(BalanceStep step, DataOutputStream out) throws IOException {
    if (step instanceof BalanceStep.Split split) {
      out.writeByte(SPLIT);
      write(split.region(), out);
      write(split.at(), out);
    } else if (step instanceof BalanceStep.Merge merge) {
      out.writeByte(MERGE);
      write(merge.left(), out);
      write(merge.right(), out);
    } else if (step instanceof BalanceStep.Move move) {
      out.writeByte(MOVE);
      write(move.region(), out);
      out.writeUTF(move.server());
    } else if (step instanceof BalanceStep.Exchange exchange) {
      out.writeByte(EXCHANGE);
      write(exchange.region(), out);
      write(exchange.other(), out);
    } else {
      throw new IllegalArgumentException("only operations are begun");
    }
  }

  static BegunSteps read(DataInputStream in) throws IOException {
    List<Begun> steps = new ArrayList<>();
    for (int count = in.readInt(); count > 0; count--) {
      Instant time = Instant.ofEpochMilli(in.readLong());
      String what = in.readUTF();
      String why = in.readUTF();
      Optional<BalanceStep> step = step(why, in);
      if (step.isEmpty()) {
        return new BegunSteps(steps);
      }
      steps.add(new Begun(time, step.get(), what));
    }
    return new BegunSteps(steps);
  }

  /** Reads a step; empty if a server of a newer version wrote it. */
  private static Optional<BalanceStep> step(String why, DataInputStream in) throws IOException {
    return switch (in.readByte()) {
      case SPLIT -> Optional.of(new BalanceStep.Split(region(in), bytes(in), why));
      case MERGE -> Optional.of(new BalanceStep.Merge(region(in), region(in), why));
      case MOVE -> Optional.of(new BalanceStep.Move(region(in), in.readUTF(), why));
      case EXCHANGE -> Optional.of(new BalanceStep.Exchange(region(in), region(in), why));
      default -> Optional.empty();
    };
  }

  private static void write(RegionSample region, DataOutputStream out) throws IOException {
    out.writeUTF(region.table());
    write(region.name(), out);
    write(region.from(), out);
    write(region.to(), out);
    out.writeUTF(region.server());
  }

  private static RegionSample region(DataInputStream in) throws IOException {
    return new RegionSample(in.readUTF(), bytes(in), bytes(in), bytes(in), in.readUTF(), 0, 0, 0);
  }

  private static void write(Bytes bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length());
    out.write(bytes.array());
  }

  private static Bytes bytes(DataInputStream in) throws IOException {
    return Bytes.of(in.readNBytes(in.readInt()));
  }
}
