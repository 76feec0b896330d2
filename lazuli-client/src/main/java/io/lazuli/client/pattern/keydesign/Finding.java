package io.lazuli.client.pattern.keydesign;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A fault in the design of keys: what was seen, and what to do. Immutable.
 *
 * @param diagnosis the kind of fault
 * @param level how serious it is
 * @param fact one sentence with the figure that led to the diagnosis
 * @param evidence the figures and the bounds that they exceed
 * @param remedy the guide's advice
 */
public record Finding(
    Diagnosis diagnosis, Level level, String fact, List<Figure> evidence, String remedy) {
  /** Copies the list. */
  public Finding {
    evidence = List.copyOf(evidence);
  }

  /** How serious a finding is. */
  public enum Level {
    /** It would hurt on Azure or under more load. */
    ADVICE,
    /** A partition takes over a quarter of what it can, or the finding lasts for half an hour. */
    WARNING,
    /** The service refuses requests. */
    FAILING
  }

  /**
   * A measured value.
   *
   * @param label its name
   * @param value with its unit: {@code 97 %}
   * @param bound the value from which on it counts; empty if there is none
   */
  public record Figure(String label, String value, String bound) {
    @Override
    public String toString() {
      return label + ": " + value + (bound.isEmpty() ? "" : " (" + bound + ")");
    }
  }

  /** Returns the finding as lines of text, with links to the pages about the remedy. */
  @Override
  public String toString() {
    String figures = evidence.stream().map(Figure::toString).collect(Collectors.joining(" · "));
    return String.join(
        System.lineSeparator(),
        diagnosis.title() + ". " + fact,
        figures,
        remedy,
        String.join(", ", diagnosis.pages()));
  }
}
