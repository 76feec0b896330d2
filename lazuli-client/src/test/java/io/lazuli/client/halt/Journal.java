package io.lazuli.client.halt;

import io.lazuli.client.pattern.lock.LockLost;
import io.lazuli.client.pattern.outbox.ContentionFailure;
import io.lazuli.client.pattern.outbox.MovingFailure;
import io.lazuli.client.pattern.period.PeriodDropped;
import io.lazuli.client.pattern.relation.HasChildren;
import io.lazuli.client.table.OutcomeUnknown;
import io.lazuli.client.table.TableFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import reactor.core.Exceptions;

/**
 * The attempts of one process and how they ended. A line is written before and after each attempt,
 * so the last attempt of a halted process stays open. The file survives because the machine does
 * not stop. One thread uses a journal at a time.
 */
record Journal(Path file) {
  /** How an attempt ended. */
  enum End {
    /** The operation returned. */
    DONE,
    /** The operation failed because of what others wrote, and had no effect. */
    REJECTED,
    /**
     * The process was halted during the operation, or the library does not know its outcome. It may
     * have had an effect.
     */
    OPEN,
    /**
     * The operation was given up because the machine is too busy. The times that the test allows
     * are too short for such a machine, so the run proves nothing.
     */
    SLOW
  }

  /**
   * One operation.
   *
   * @param words what was attempted: a verb and values without spaces
   */
  record Attempt(List<String> words, End end) {
    boolean is(String verb) {
      return words.get(0).equals(verb);
    }

    String word(int index) {
      return words.get(index);
    }
  }

  /** Runs an operation that others may cause to be rejected. */
  void attempt(String what, Runnable operation) {
    write("begin " + what);
    try {
      operation.run();
    } catch (OutcomeUnknown unknown) {
      return;
    } catch (TableFailure
        | ContentionFailure
        | MovingFailure
        | HasChildren
        | LockLost
        | PeriodDropped rejected) {
      write("rejected");
      return;
    } catch (RuntimeException failure) {
      if (Exceptions.unwrap(failure) instanceof TimeoutException) {
        write("slow");
        return;
      }
      throw failure;
    }
    write("done");
  }

  private void write(String line) {
    try {
      Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns all attempts, in their order. */
  List<Attempt> attempts() {
    List<String> lines = lines();
    return Stream.iterate(0, i -> i + 1)
        .limit(lines.size())
        .filter(i -> lines.get(i).startsWith("begin "))
        .map(i -> attempt(lines, i))
        .toList();
  }

  private static Attempt attempt(List<String> lines, int begin) {
    String end = begin + 1 < lines.size() ? lines.get(begin + 1) : "";
    return new Attempt(
        List.of(lines.get(begin).substring("begin ".length()).split(" ", -1)),
        switch (end) {
          case "done" -> End.DONE;
          case "rejected" -> End.REJECTED;
          case "slow" -> End.SLOW;
          default -> End.OPEN;
        });
  }

  private List<String> lines() {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
