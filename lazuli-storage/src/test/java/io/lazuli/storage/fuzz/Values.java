package io.lazuli.storage.fuzz;

import io.lazuli.storage.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A set of values to test with. About one in eight random values is an edge case; {@link
 * Fuzz#forAll} checks every edge case in addition.
 *
 * @param edges values that are likely to be handled wrongly
 * @param source any of the values
 */
public record Values<T>(List<T> edges, Fuzz.Source<T> source) implements Fuzz.Source<T> {
  /** Bytes next to a border: of the sign, of the escapes in keys, of ASCII. */
  private static final byte[] EDGE_BYTES = {0, 1, 2, 'a', 126, 127, -128, -127, -2, -1};

  /** The first and last characters of each length in UTF-8, and of the surrogates. */
  private static final String EDGE_CHARACTERS =
      "\0\u0001\t\r\n !%'/?az~\u007f\u0080\u00ff\u07ff\u0800\u2028"
          + "\ud7ff\ud800\ud83d\udbff\udc00\ude00\udfff\ue000\ufeff\ufffd\ufffe\uffff";

  public Values {
    edges = List.copyOf(edges);
  }

  @Override
  public T next(Random random) throws Exception {
    return !edges.isEmpty() && random.nextInt(8) == 0
        ? edges.get(random.nextInt(edges.size()))
        : source.next(random);
  }

  /** Exactly these. */
  public static <T> Values<T> of(List<T> values) {
    return new Values<>(values, random -> values.get(random.nextInt(values.size())));
  }

  /** Whole numbers: up to half of them near an end of the range, the others anywhere in it. */
  public static Values<Long> longs(long min, long max) {
    TreeSet<Long> edges = new TreeSet<>(List.of(min, max));
    for (int bits = 0; bits < Long.SIZE; bits++) {
      for (long near = -1; near <= 1; near++) {
        edges.add((1L << bits) + near);
        edges.add(-(1L << bits) + near);
        edges.add(min + (1L << bits) + near);
        edges.add(max - (1L << bits) + near);
      }
    }
    return new Values<>(
        edges.stream().filter(edge -> edge >= min && edge <= max).toList(),
        random -> number(random, min, max));
  }

  /** Arrays of bytes, up to a length. */
  public static Values<Bytes> bytes(int lengthMax) {
    List<Bytes> edges = new ArrayList<>(List.of(Bytes.EMPTY, Bytes.of(new byte[lengthMax])));
    for (byte first : EDGE_BYTES) {
      edges.add(Bytes.of(new byte[] {first}));
      edges.add(Bytes.of(new byte[] {first, 0}));
      edges.add(Bytes.of(new byte[] {first, -1}));
    }
    return new Values<>(edges, random -> bytes(random, lengthMax));
  }

  /** Texts up to a length, unpaired surrogates included. */
  public static Values<String> texts(int lengthMax) {
    List<String> edges = new ArrayList<>(List.of("", "\ud83d\ude00", "\uffff".repeat(lengthMax)));
    EDGE_CHARACTERS.chars().forEach(c -> edges.add(String.valueOf((char) c)));
    return new Values<>(edges, random -> text(random, lengthMax));
  }

  /** Values of one or the other. */
  public static <T> Values<T> either(Values<T> one, Values<T> other) {
    return new Values<>(
        Stream.concat(one.edges.stream(), other.edges.stream()).toList(),
        random -> (random.nextBoolean() ? one : other).next(random));
  }

  /** Two values combined; the edge cases are all combinations of the edge cases of the two. */
  public <U, R> Values<R> with(Values<U> other, BiFunction<? super T, ? super U, R> combine) {
    List<R> combined = new ArrayList<>();
    for (T edge : edges) {
      for (U otherEdge : other.edges) {
        combined.add(combine.apply(edge, otherEdge));
      }
    }
    return new Values<>(combined, random -> combine.apply(next(random), other.next(random)));
  }

  /** The values that meet a condition; most of them should. */
  public Values<T> where(Predicate<T> condition) {
    return new Values<>(
        edges.stream().filter(condition).toList(),
        random -> {
          T value = next(random);
          while (!condition.test(value)) {
            value = next(random);
          }
          return value;
        });
  }

  private static long number(Random random, long min, long max) {
    long distance = random.nextLong() >>> random.nextInt(Long.SIZE);
    long number = random.nextBoolean() ? min + distance : max - distance;
    boolean anywhere = random.nextBoolean() || number < min || number > max;
    return anywhere ? random.nextLong(min, max) : number;
  }

  private static Bytes bytes(Random random, int lengthMax) {
    byte[] bytes = new byte[length(random, lengthMax)];
    random.nextBytes(bytes);
    for (int i = 0; i < bytes.length; i++) {
      if (random.nextBoolean()) {
        bytes[i] = EDGE_BYTES[random.nextInt(EDGE_BYTES.length)];
      }
    }
    return Bytes.of(bytes);
  }

  private static String text(Random random, int lengthMax) {
    StringBuilder text = new StringBuilder();
    for (int length = length(random, lengthMax); text.length() < length; ) {
      switch (random.nextInt(4)) {
        case 0 -> text.append((char) random.nextInt(' ', 0x7f));
        case 1 -> text.append((char) random.nextInt(0x10000));
        case 2 -> text.append(EDGE_CHARACTERS.charAt(random.nextInt(EDGE_CHARACTERS.length())));
        default -> text.appendCodePoint(random.nextInt(0x10000, 0x110000));
      }
    }
    text.setLength(Math.min(text.length(), lengthMax));
    return text.toString();
  }

  /** Short lengths are more frequent, so that equal values and prefixes meet. */
  private static int length(Random random, int lengthMax) {
    return random.nextInt(random.nextInt(lengthMax + 1) + 1);
  }
}
