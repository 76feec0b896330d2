package io.lazuli.client.halt;

import io.lazuli.client.halt.Journal.Attempt;
import io.lazuli.client.halt.Journal.End;
import java.util.List;
import java.util.stream.Stream;

/** The attempts of all processes of a run. */
record History(List<List<Attempt>> processes) {
  /** Returns whether the machine was too busy for the times that the test allows. */
  boolean isVoid() {
    return processes.stream().flatMap(List::stream).anyMatch(attempt -> attempt.end() == End.SLOW);
  }

  /** Returns all attempts with a verb that ended in one of these ways. */
  Stream<Attempt> all(String verb, End... ends) {
    return processes.stream()
        .flatMap(List::stream)
        .filter(attempt -> attempt.is(verb) && List.of(ends).contains(attempt.end()));
  }

  /** Returns the first values of all attempts with a verb that ended in one of these ways. */
  List<String> words(String verb, End... ends) {
    return all(verb, ends).map(attempt -> attempt.word(1)).toList();
  }

  /** Returns how often an attempt was made for certain. */
  long atLeast(String verb, String value) {
    return all(verb, End.DONE).filter(attempt -> attempt.word(1).equals(value)).count();
  }

  /** Returns how often an attempt may have been made, including those that were cut short. */
  long atMost(String verb, String value) {
    return all(verb, End.DONE, End.OPEN).filter(attempt -> attempt.word(1).equals(value)).count();
  }
}
