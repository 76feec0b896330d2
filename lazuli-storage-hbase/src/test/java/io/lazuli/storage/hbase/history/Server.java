package io.lazuli.storage.hbase.history;

import io.lazuli.storage.history.Operation.Kind;
import io.lazuli.storage.history.Operation.Outcome;
import io.lazuli.storage.history.Operation.Seen;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A server as its clients know it: a request, an answer. */
interface Server {
  /** Drops the space. */
  Request DROP = new Request(Kind.WRITE, "drop", 0);

  /** Sends a request and waits for the answer. Any number of threads may call it. */
  Answer ask(Request request);

  /** Returns true once the server will never answer again. */
  default boolean isGone() {
    return false;
  }

  /**
   * A request.
   *
   * @param row the index of the partition's row to read
   */
  record Request(Kind kind, String target, int row) {
    String line() {
      return kind + " " + target + " " + row;
    }

    static Request parse(String line) {
      String[] words = line.split(" ", -1);
      return new Request(Kind.valueOf(words[0]), words[1], Integer.parseInt(words[2]));
    }
  }

  /** An answer. */
  record Answer(Outcome outcome, List<Seen> seen) {
    static final Answer FAILED = new Answer(Outcome.FAILED, List.of());
    static final Answer UNKNOWN = new Answer(Outcome.UNKNOWN, List.of());

    public Answer {
      seen = List.copyOf(seen);
    }

    String line() {
      return outcome
          + seen.stream()
              .map(each -> " " + each.row() + "=" + each.number())
              .collect(Collectors.joining());
    }

    static Answer parse(String line) {
      String[] words = line.split(" ", -1);
      return new Answer(
          Outcome.valueOf(words[0]), Stream.of(words).skip(1).map(Answer::seen).toList());
    }

    private static Seen seen(String word) {
      int equals = word.indexOf('=');
      return new Seen(word.substring(0, equals), Long.parseLong(word.substring(equals + 1)));
    }
  }
}
