package io.lazuli.server.load.rule;

import io.lazuli.server.load.count.SpaceName;
import java.util.List;

/**
 * What a rule found in the last minutes.
 *
 * @param partition the partition that it is about; empty if it is about the whole space
 * @param figure the figure that tripped the rule; a silence ends if it doubles
 */
public record Symptom(
    Kind kind,
    SpaceName space,
    String partition,
    Level level,
    double figure,
    String fact,
    List<Evidence> evidence) {
  public Symptom {
    evidence = List.copyOf(evidence);
  }

  /** Returns the mark of the diagnosis, which stays the same while it is open. */
  public String id() {
    return kind.key() + ":" + space.account() + "/" + space.service() + "/" + space.name();
  }

  Symptom at(Level other) {
    return new Symptom(kind, space, partition, other, figure, fact, evidence);
  }
}
