package io.lazuli.storage.history;

import io.lazuli.storage.history.Linearization.Contradiction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Makes a report of a contradiction: which promise was broken, and the few calls that show it.
 * These are the calls that wrote what was seen or should have been seen, and the calls after the
 * last moment at which no call was under way, without those that the contradiction does not need.
 */
public final class Explanation {
  private static final int LINES_MAX = 24;
  private static final int EARLIER_CHANGES = 3;
  private static final int STATES_MAX = 8;

  private final Contradiction found;
  private final List<Call> calls;
  private final LongFunction<long[]> numbers;
  private final LongFunction<String> names;
  private final List<Integer> odd;
  private final boolean torn;

  private Explanation(
      Contradiction found,
      List<Call> calls,
      LongFunction<long[]> numbers,
      LongFunction<String> names) {
    this.found = found;
    this.calls = calls;
    this.numbers = numbers;
    this.names = names;
    List<Integer> touched =
        IntStream.range(0, found.states().get(0).length)
            .filter(found.call().step()::touches)
            .boxed()
            .toList();
    List<Integer> impossible = touched.stream().filter(this::isImpossible).toList();
    this.torn = impossible.isEmpty() && touched.size() > 1 && !found.call().step().changes();
    this.odd = impossible.isEmpty() ? touched : impossible;
  }

  /**
   * Explains a contradiction.
   *
   * @param calls all calls on the object
   * @param numbers the numbers of the writes that made the content of a cell
   * @param names the name of a cell
   */
  public static Violation of(
      String object,
      Contradiction found,
      List<Call> calls,
      LongFunction<long[]> numbers,
      LongFunction<String> names) {
    Explanation explanation = new Explanation(found, calls, numbers, names);
    Violation.Kind kind = explanation.kind();
    return new Violation(kind, explanation.text(object));
  }

  /** Returns true if the answer shows something in a cell that cannot be there. */
  private boolean isImpossible(int cell) {
    long seen = found.call().step().seen(cell);
    return seen != Step.UNSEEN && found.states().stream().noneMatch(state -> state[cell] == seen);
  }

  private Violation.Kind kind() {
    if (torn) {
      return Violation.Kind.TORN_BATCH;
    }
    if (odd.isEmpty()) {
      return Violation.Kind.WRONG_ANSWER;
    }
    int cell = odd.get(0);
    if (!isWritten(found.call().step().seen(cell))) {
      return Violation.Kind.WRONG_ANSWER;
    }
    Set<Long> expected =
        found.states().stream().map(state -> state[cell]).collect(Collectors.toSet());
    if (isPartOfABatch(expected)) {
      return Violation.Kind.TORN_BATCH;
    }
    boolean before = false;
    boolean after = false;
    for (Call each : calls) {
      if (expected.contains(each.step().seen(cell))) {
        before |= each.end() < found.call().start();
        after |= each.start() > found.call().end();
      }
    }
    if (after) {
      return Violation.Kind.STALE_READ;
    }
    return before ? Violation.Kind.REORDERED : Violation.Kind.LOST_WRITE;
  }

  /**
   * Returns true if the expected content comes from a batch that had no answer yet: somebody must
   * have seen another part of it.
   */
  private boolean isPartOfABatch(Set<Long> expected) {
    Set<Long> writers = new HashSet<>();
    expected.forEach(content -> writers.addAll(writers(content)));
    int cells = found.states().get(0).length;
    return calls.stream()
        .filter(each -> writers.contains(each.step().number()))
        .filter(each -> each.end() >= found.call().start())
        .anyMatch(each -> IntStream.range(0, cells).filter(each.step()::touches).count() > 1);
  }

  private boolean isWritten(long content) {
    return content == Step.UNSEEN
        || calls.stream()
            .map(each -> each.step().number())
            .collect(Collectors.toSet())
            .containsAll(writers(content));
  }

  private Set<Long> writers(long content) {
    Set<Long> writers = new HashSet<>();
    if (content != Step.UNSEEN) {
      for (long number : numbers.apply(content)) {
        writers.add(number);
      }
    }
    writers.remove(0L);
    return writers;
  }

  private String text(String object) {
    Set<Long> relevant = new HashSet<>();
    for (int cell : odd) {
      relevant.addAll(writers(found.call().step().seen(cell)));
      found.states().forEach(state -> relevant.addAll(writers(state[cell])));
    }
    Set<Call> shown = new HashSet<>(needed());
    shown.addAll(earlierChanges());
    for (Call each : calls) {
      if (relevant.contains(each.step().number()) && each.start() <= found.call().end()) {
        shown.add(each);
      }
    }
    shown.add(found.call());
    long origin = calls.stream().mapToLong(Call::start).min().orElse(0);
    List<Call> sorted = new ArrayList<>(shown);
    sorted.sort(Comparator.comparingLong(Call::start));
    StringBuilder text = new StringBuilder(object).append(", ").append(cells());
    sorted.stream()
        .skip(Math.max(0, sorted.size() - LINES_MAX))
        .forEach(each -> text.append("\n  ").append(each.line(origin)).append(mark(each)));
    return text.append("\n  possible were: ").append(states()).toString();
  }

  private String states() {
    return found.states().stream()
        .limit(STATES_MAX)
        .map(
            state ->
                odd.stream()
                    .map(cell -> names.apply(cell) + "=" + numbersOf(state[cell]))
                    .collect(Collectors.joining(" ")))
        .distinct()
        .collect(Collectors.joining(", or "));
  }

  private String numbersOf(long content) {
    return LongStream.of(numbers.apply(content))
        .mapToObj(String::valueOf)
        .collect(Collectors.joining("/"));
  }

  /** Returns the last changes before the contradiction. */
  private List<Call> earlierChanges() {
    List<Call> changes =
        calls.stream()
            .filter(each -> each.step().changes() && each.end() < found.call().start())
            .filter(each -> odd.stream().anyMatch(each.step()::touches))
            .sorted(Comparator.comparingLong(Call::end))
            .toList();
    return changes.subList(Math.max(0, changes.size() - EARLIER_CHANGES), changes.size());
  }

  /** Returns the calls since the last pause, without reads and refusals that change nothing. */
  private List<Call> needed() {
    List<Call> before = new ArrayList<>();
    List<Call> window = new ArrayList<>();
    long last = Long.MIN_VALUE;
    List<Call> sorted = new ArrayList<>(calls);
    sorted.sort(Comparator.comparingLong(Call::start));
    for (Call each : sorted) {
      if (each.start() > last && each.start() <= found.call().start()) {
        before.addAll(window);
        window.clear();
      }
      if (each.start() <= found.call().end()) {
        window.add(each);
      }
      last = each.isOpen() ? last : Math.max(last, each.end());
    }
    Linearization until = new Linearization(new long[found.states().get(0).length]);
    until.add(before);
    before.stream().filter(Call::isOpen).forEach(window::add);
    for (Call each : List.copyOf(window)) {
      List<Call> fewer = new ArrayList<>(window);
      fewer.remove(each);
      if (!each.equals(found.call()) && !each.step().changes() && isWrong(until.states(), fewer)) {
        window.remove(each);
      }
    }
    return window;
  }

  private static boolean isWrong(List<long[]> states, List<Call> calls) {
    return states.stream().allMatch(state -> new Linearization(state).add(calls) != null);
  }

  private String cells() {
    return odd.stream().map(cell -> names.apply(cell)).collect(Collectors.joining(" "));
  }

  private String mark(Call call) {
    return call.equals(found.call()) ? "   <- no order of the operations explains this" : "";
  }
}
