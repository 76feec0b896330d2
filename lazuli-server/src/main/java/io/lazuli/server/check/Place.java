package io.lazuli.server.check;

/**
 * Where a damage is.
 *
 * @param kind {@code table}, {@code queue}, {@code container}, {@code catalogue}, {@code chunk},
 *     {@code file} or {@code space}
 * @param account the account; empty if the damage belongs to none
 * @param name the name of the table, queue or container; empty if the damage belongs to none
 */
public record Place(String kind, String account, String name) {
  public static final Place CATALOGUE = new Place("catalogue", "", "");
  public static final Place CHUNKS = new Place("chunk", "", "");
  public static final Place FILES = new Place("file", "", "");
  public static final Place SPACES = new Place("space", "", "");

  /** Returns the words for an operator. */
  String line() {
    return account.isEmpty() ? kind : "account " + account + ", " + kind + " " + name;
  }
}
