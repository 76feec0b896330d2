package io.lazuli.server.design;

import java.util.List;

/**
 * A design for all entities of a model.
 *
 * @param title what it is, in a few words
 * @param why why it is where it is in the ranking
 * @param cost the cost of all accesses, in requests each second
 * @param readPerReturned the entities read for each that a program gets
 * @param writtenPerChange the entities written for each change
 */
public record Proposal(
    String title,
    String why,
    List<TableDesign> tables,
    List<Choice> choices,
    List<Warning> warnings,
    double cost,
    double readPerReturned,
    double writtenPerChange) {
  public Proposal {
    tables = List.copyOf(tables);
    choices = List.copyOf(choices);
    warnings = List.copyOf(warnings);
  }
}
